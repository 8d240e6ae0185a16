/// The functions that return a transaction's own claims, for policies and functions.
enum SessionFunctions {
    /// A token's subject, and the number of its account.
    ///
    /// `token_user` is the subject of a token that has not expired. `claim` reads what `enter_1` found for it, and
    /// nothing when the subject is another one. Both must be inlined: as a function with a query, or in PL/pgSQL,
    /// `claim` costs two to four times the exchange's own work. No policy asks for it (`Access.subject`): a session can
    /// say any number.
    static let claims = """
        CREATE FUNCTION underway.token_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
            RETURN CASE WHEN coalesce(
                (nullif(current_setting('request.jwt.claims', TRUE), '')::jsonb ->> 'exp')::numeric
                    > extract(epoch FROM now()), TRUE)
                THEN auth.uid() END;

        CREATE FUNCTION underway.claim() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN CASE WHEN split_part(current_setting('underway.account', TRUE), ' ', 2)
                    = underway.token_user()::text
                THEN split_part(current_setting('underway.account', TRUE), ' ', 1)::bigint END;
        """

    /// The account that a transaction of sign-in opened, and the one that upkeep erases; NULL for none.
    static let accounts = """
        CREATE FUNCTION underway.opened() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN nullif(current_setting('underway.opened', TRUE), '')::bigint;

        CREATE FUNCTION underway.erased() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN nullif(current_setting('underway.erased', TRUE), '')::bigint;
        """

    /// The time before which entries of the audit log may be removed, by the database's own clock: after 720 days.
    static let auditEnd = """
        CREATE FUNCTION underway.audit_end() RETURNS bigint LANGUAGE sql STABLE
            SET search_path = underway, pg_temp
            AS $$ SELECT (extract(epoch FROM now()) * 1000)::bigint - 62208000000 $$;
        """
}
