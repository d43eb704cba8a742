"""Where a product of one app begins, and where it stands while its app is not open: install it, open it, see what it may do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from lime_desktop import __version__
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.texts import PRODUCT_NAME
from lime_desktop.product import Product
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import button, card, column, icon_label, label, row

_LOGO = 72


@dataclass(frozen=True, slots=True)
class ProductLinks:
    """Where the page leads."""

    install: Callable[[], None]
    """To the review of what came with the product; the person decides there."""
    open_app: Callable[[str], None]
    show_details: Callable[[str], None]
    show_settings: Callable[[str], None]


class ProductPage(Page):
    """Names the product and what it runs on; never says of its app what the registry does not."""

    def __init__(
        self, look: Look, product: Product, brand: Brand, registry: AppRegistry, links: ProductLinks
    ) -> None:
        super().__init__()
        self._look = look
        self._product = product
        self._brand = brand
        self._registry = registry
        self._links = links
        self._damage = ""
        registry.watch(self.once_seen(self.show_again))
        look.texts.changed.connect(self.show_again)
        look.appearance.changed.connect(self.show_again)
        self.show_again()

    def show_damage(self, reason: str) -> None:
        """Say that what came with the product is not what was shipped."""
        self._damage = reason
        self.show_again()

    def show_again(self) -> None:
        """Show the product as things stand."""
        self.refill(self._head(), card(*self._state()), self._foot())

    def _head(self) -> QWidget:
        name = self._brand.branding.product_name
        words = [label(name, "display")]
        if self._product.publisher:
            words.append(label(self._product.publisher, "muted"))
        logo = icon_label(self._look.appearance.logo(), _LOGO)
        return row(logo, column(*words, spacing=4), stretch_at=1)

    def _state(self) -> Iterator[QWidget]:
        texts, name, own = self._look.texts, self._product.name, self._product.app
        app = None if own is None else self._registry.app(own.id)
        if app is not None:
            yield label(texts("product.installed", product=name))
            start = button(
                texts("product.open"), lambda: self._links.open_app(app.app_id), "primary"
            )
            more = button(texts("product.details"), lambda: self._links.show_details(app.app_id))
            begin_here(start)
            yield row(start, more)
        elif self._damage:
            yield label(texts("product.damaged", reason=self._damage))
            yield label(texts("product.damaged.advice"), "muted")
        elif self._registry.center is None:
            yield label(texts("product.reading"), "muted")
        else:
            yield label(texts("product.missing", product=name))
            start = button(texts("product.install"), self._links.install, "primary")
            begin_here(start)
            yield row(start)

    def _foot(self) -> QWidget:
        texts = self._look.texts
        key = "product.runtime" if self._product.runtime is None else "product.runtime.installed"
        runtime = texts(key, runtime=PRODUCT_NAME, version=__version__)
        settings = button(texts("problem.settings"), lambda: self._links.show_settings(""))
        return row(label(runtime, "small"), settings, stretch_at=0)
