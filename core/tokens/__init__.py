"""Pure token data: vocabularies, decoding, the token table, number hygiene, the trace format. No I/O but
the vocabulary map."""
