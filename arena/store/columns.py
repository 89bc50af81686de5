"""Kinds of columns that every database keeps: text that need not be proper, and large numbers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, LargeBinary, TypeDecorator
from sqlalchemy import Text as Plain


def bound(text: str | None, dialect: Dialect) -> str | bytes | None:
    """Return text as it is stored.

    That is as text if possible, else as its bytes, which SQLite accepts too. PostgreSQL has a
    column of bytes.
    """
    if text is None:
        return None
    encoded = text.encode(errors="surrogatepass")
    is_text = dialect.name == "sqlite" and encoded.decode(errors="replace") == text
    return text if is_text else encoded


class AnyText(TypeDecorator[str]):
    """Text that need not be proper Unicode, such as names of files and messages of players."""

    impl = Plain
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Return the type of the column: PostgreSQL's text has no NUL and no lone surrogate."""
        return dialect.type_descriptor(Plain() if dialect.name == "sqlite" else LargeBinary())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        """Store text as :func:`bound` does."""
        return bound(value, dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        """Return the text that was bound."""
        return value.decode(errors="surrogatepass") if isinstance(value, bytes) else value


#: A number of up to 63 bits.
Large = Integer().with_variant(BigInteger(), "postgresql")
