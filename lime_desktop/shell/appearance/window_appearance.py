"""How the window looks: the theme in force on every widget, the product's name and icon on its frame."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.product import Product
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.style import palette


class WindowAppearance(QObject):
    """Follows the theme, the brand and the pictures that are drawn while the window is there already."""

    def __init__(self, window: QWidget, look: Look, brand: Brand, product: Product) -> None:
        super().__init__(window)
        self._window = window
        self._look = look
        self._brand = brand
        self._product = product
        look.appearance.changed.connect(self.apply_theme)
        look.appearance.pictures.drawn.connect(self._show_pictures)
        brand.changed.connect(self.apply_branding)

    def apply_theme(self) -> None:
        """Dress the program in the theme in force."""
        theme = self._look.appearance.theme
        application = QApplication.instance()
        if isinstance(application, QApplication):
            sheet = self._look.appearance.style.sheet(theme)
            if sheet == application.styleSheet():
                return  # another choice: to dress every widget anew takes a tenth of a second
            application.setPalette(palette(theme))
            application.setStyleSheet(sheet)
        self._look.icons.follow(theme)

    def apply_branding(self) -> None:
        """Name the window after the product, or after whoever brands it."""
        brand = self._brand.branding
        is_vendors = self._product.is_branded and brand.organisation is None
        self._window.setWindowTitle(
            self._product.window_title if is_vendors else brand.product_name
        )
        self._window.setWindowIcon(self._look.appearance.logo())

    def _show_pictures(self) -> None:
        """Paint again: icons that were letters have their picture now."""
        self._window.update()
        if self._brand.has_own_logo:
            self._window.setWindowIcon(self._look.appearance.logo())
