"""The functions that SQL of somebody else's may call: each ends soon, whatever it is given.

SQLite looks at the clock between two instructions and never inside one, and a call of a function is one. Most read
their arguments once. The few that read one argument for every character of another are written anew here; the ones
that cannot be are refused, like every function that this list does not know.
"""

from lime_desktop.database.connection import Connection

_TEXTS = """char coalesce concat concat_ws format glob hex ifnull iif if instr length like likelihood likely lower ltrim
nullif octet_length printf quote replace rtrim soundex substr substring trim typeof unicode unistr unistr_quote unlikely
upper zeroblob randomblob random changes last_insert_rowid total_changes sqlite_version sqlite_source_id"""
_NUMBERS = """abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 max min
mod pi pow power radians round sign sin sinh sqrt tan tanh trunc"""
_TIMES = "date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp"
_GROUPS = """avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc row_number
rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value"""
_JSON = """json json_array json_array_length json_error_position json_extract json_insert json_object json_quote
json_remove json_replace json_set json_type json_valid json_group_array json_group_object json_each json_tree -> ->>"""

ALLOWED_FUNCTIONS = frozenset(" ".join((_TEXTS, _NUMBERS, _TIMES, _GROUPS, _JSON)).split())
"""Not `json_patch` nor `unhex`: they compare everything of one argument with everything of the other."""

_Value = str | bytes | int | float | None


def bound_functions(connection: Connection, longest_bytes: int) -> None:
    """Put functions that read their arguments once in the place of SQLite's own, with the same answers.

    They stay on the connection: SQLite does not give its own back. An index or a check of the author's may use them.
    """

    def replace(text: _Value, old: _Value, new: _Value) -> _Value:
        return _replace(text, old, new, longest_bytes)

    connection.create_function("instr", 2, _instr, deterministic=True)
    connection.create_function("replace", 3, replace, deterministic=True)
    connection.create_function("trim", 2, _trim, deterministic=True)
    connection.create_function("ltrim", 2, _trim_left, deterministic=True)
    connection.create_function("rtrim", 2, _trim_right, deterministic=True)


def _instr(text: _Value, wanted: _Value) -> int | None:
    if text is None or wanted is None:
        return None
    if isinstance(text, bytes) and isinstance(wanted, bytes):
        return text.find(wanted) + 1
    return _as_text(text).find(_as_text(wanted)) + 1


def _replace(text: _Value, old: _Value, new: _Value, longest_bytes: int) -> _Value:
    if text is None or old is None:
        return None
    written, gone = _as_text(text), _as_text(old)
    if not gone or gone[0] == "\0":
        # A text also of a number, as newer SQLites answer: the same on every machine.
        return written
    if new is None:
        return None
    instead = _as_text(new)
    # Before it is made: a megabyte for each letter of a megabyte would fill the machine.
    if len(written) + written.count(gone) * (len(instead) - len(gone)) > longest_bytes:
        raise OverflowError
    return written.replace(gone, instead)


def _trim(text: _Value, characters: _Value) -> str | None:
    return _trim_left(_trim_right(text, characters), characters)


def _trim_left(text: _Value, characters: _Value) -> str | None:
    if text is None or characters is None:
        return None
    written, gone = _as_text(text), _set_of(characters)
    start = next((at for at, each in enumerate(written) if each not in gone), len(written))
    return written[start:]


def _trim_right(text: _Value, characters: _Value) -> str | None:
    if text is None or characters is None:
        return None
    written, gone = _as_text(text), _set_of(characters)
    end = next((at for at in range(len(written), 0, -1) if written[at - 1] not in gone), 0)
    return written[:end]


def _set_of(characters: _Value) -> frozenset[str]:
    # To SQLite such a set ends where a C string does.
    return frozenset(_as_text(characters).partition("\0")[0])


def _as_text(value: _Value) -> str:
    match value:
        case str():
            return value
        case bytes():
            return value.decode()
        case float():
            return _real_as_text(value)
        case _:
            return str(value)


def _real_as_text(value: float) -> str:
    """As SQLite writes one: fifteen digits, and always a point."""
    if value in {float("inf"), float("-inf")}:
        return "Inf" if value > 0 else "-Inf"
    digits, exponent, power = f"{value:.15g}".partition("e")
    return f"{digits if '.' in digits else f'{digits}.0'}{exponent}{power}"
