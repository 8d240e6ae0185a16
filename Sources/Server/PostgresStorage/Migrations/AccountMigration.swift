/// The tables of accounts: the methods that open them, their sessions, and what several processes share.
///
/// No rule of accounts is in SQL. `underway_accounts` signs users in before they are known, so it sees all rows of these
/// tables, and none of the ledger; a user (`authenticated`) sees none of these.
package enum AccountMigration {
    /// The second migration.
    package static let accounts = PostgresMigration(
        name: "2 accounts",
        script: [columns, signInMethods, sessions, shared, opening, rows, erasure].joined(
            separator: "\n\n"))

    /// The columns of an account that sessions and upkeep need.
    private static let columns = """
        ALTER TABLE underway.account
            ADD COLUMN last_used_at bigint NOT NULL DEFAULT 0,
            ADD COLUMN deleted_at bigint,
            ADD COLUMN token_generation bigint NOT NULL DEFAULT 0;

        CREATE INDEX account_by_use ON underway.account (last_used_at, number);

        CREATE INDEX account_by_deletion ON underway.account (deleted_at) WHERE deleted_at IS NOT NULL;
        """

    /// The methods that open an account, and the codes that prove its email.
    private static let signInMethods = """
        CREATE TABLE underway.password (
            account bigint PRIMARY KEY REFERENCES underway.account (number) ON DELETE CASCADE,
            email text collate "C" NOT NULL UNIQUE CHECK (octet_length(email) BETWEEN 1 AND 254),
            salt bytea NOT NULL CHECK (octet_length(salt) = 16),
            hash bytea NOT NULL CHECK (octet_length(hash) = 32),
            rounds integer NOT NULL CHECK (rounds >= 1024),
            verified_at bigint
        );

        CREATE TABLE underway.identity (
            issuer text collate "C" NOT NULL CHECK (octet_length(issuer) BETWEEN 1 AND 1024),
            subject text collate "C" NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            PRIMARY KEY (issuer, subject)
        );

        CREATE INDEX identity_by_account ON underway.identity (account);

        CREATE TABLE underway.email_code (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            purpose text collate "C" NOT NULL CHECK (purpose IN ('verifyEmail', 'resetPassword')),
            hash bytea NOT NULL CHECK (octet_length(hash) = 32),
            email text collate "C" NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (account, purpose, hash)
        );

        CREATE INDEX email_code_by_expiry ON underway.email_code (expires_at);
        """

    /// Refresh tokens, of which only hashes are stored.
    private static let sessions = """
        CREATE TABLE underway.refresh_token (
            hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
            family text collate "C" NOT NULL,
            parent bytea,
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            expires_at bigint NOT NULL,
            used_at bigint,
            generation bigint NOT NULL DEFAULT 0
        );

        CREATE INDEX refresh_token_by_family ON underway.refresh_token (family);

        CREATE INDEX refresh_token_by_parent ON underway.refresh_token (parent);

        CREATE INDEX refresh_token_by_account ON underway.refresh_token (account);

        CREATE INDEX refresh_token_by_expiry ON underway.refresh_token (expires_at);
        """

    /// What all processes share: revocations, the mark of each process, and failed attempts.
    ///
    /// Attempts count for minutes, so that their table outlives no crash of the server.
    private static let shared = """
        CREATE TABLE underway.revocation (
            kind text collate "C" NOT NULL CHECK (kind IN ('account', 'family', 'sessions')),
            name text collate "C" NOT NULL,
            at bigint NOT NULL,
            kept text collate "C" NOT NULL DEFAULT '',
            token_generation bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (kind, name)
        );

        CREATE INDEX revocation_by_time ON underway.revocation (at);

        CREATE TABLE underway.instance_mark (
            instance text collate "C" PRIMARY KEY,
            mark text NOT NULL,
            renewed_at bigint NOT NULL
        );

        CREATE UNLOGGED TABLE underway.failed_attempt (
            limit_name text collate "C" NOT NULL,
            name bytea NOT NULL CHECK (octet_length(name) = 32),
            "window" bigint NOT NULL,
            current integer NOT NULL,
            former integer NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (limit_name, name)
        );

        CREATE INDEX failed_attempt_by_expiry ON underway.failed_attempt (expires_at);
        """

    /// The account that a transaction of sign-in opened; NULL for none.
    private static let opening = """
        CREATE FUNCTION underway.opened() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN nullif(current_setting('underway.opened', TRUE), '')::bigint;
        """
}
