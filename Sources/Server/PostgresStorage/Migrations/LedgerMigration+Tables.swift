extension LedgerMigration {
    /// The account with its totals, its devices, and what is set for the whole server.
    ///
    /// `user_id` is the subject of tokens, and NULL once the account is marked as deleted; `collections` has the number
    /// of records by collection. A number is never given twice.
    static let accounts = """
        CREATE TABLE underway.setting (
            name text collate "C" PRIMARY KEY,
            value text NOT NULL
        );

        CREATE TABLE underway.account (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id text collate "C" NOT NULL UNIQUE CHECK (octet_length(id) BETWEEN 1 AND 200),
            user_id uuid UNIQUE,
            created_at bigint NOT NULL,
            position bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
            purged_through bigint NOT NULL DEFAULT 0,
            digest text NOT NULL DEFAULT '0.0.0',
            epoch text NOT NULL DEFAULT '',
            collections jsonb NOT NULL DEFAULT '{}',
            record_bytes bigint NOT NULL DEFAULT 0,
            answer_bytes bigint NOT NULL DEFAULT 0,
            answer_count bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 70);

        CREATE TABLE underway.device (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            number integer NOT NULL CHECK (number > 0),
            name text collate "C" NOT NULL,
            last_answer integer NOT NULL DEFAULT 0,
            last_seen_at bigint NOT NULL DEFAULT 0,
            is_retired boolean NOT NULL DEFAULT FALSE,
            processed_before bigint NOT NULL DEFAULT 0,
            request_number bigint NOT NULL DEFAULT 0,
            request_hash bytea NOT NULL DEFAULT '',
            head_position bigint NOT NULL DEFAULT 0,
            head_epoch text NOT NULL DEFAULT '',
            PRIMARY KEY (account, number),
            UNIQUE (account, name)
        ) WITH (fillfactor = 70);
        """

    /// The log of records, its marks, and the results of operations.
    ///
    /// `json` is of type json, not jsonb, because the text that was written is compared and counted.
    static let log = """
        CREATE TABLE underway.record (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            collection text collate "C" NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
            id text collate "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
            position bigint NOT NULL CHECK (position > 0),
            batch bigint NOT NULL,
            deleted_at bigint,
            json json NOT NULL,
            PRIMARY KEY (account, collection, id)
        );

        CREATE UNIQUE INDEX record_by_position ON underway.record (account, position);

        CREATE INDEX record_by_deletion ON underway.record (deleted_at) WHERE deleted_at IS NOT NULL;

        CREATE TABLE underway.damaged_record (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            collection text collate "C" NOT NULL,
            id text collate "C" NOT NULL,
            position bigint NOT NULL,
            found_at bigint NOT NULL,
            json text NOT NULL,
            PRIMARY KEY (account, position)
        );

        CREATE TABLE underway.mark (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            position bigint NOT NULL CHECK (position > 0),
            text text NOT NULL,
            PRIMARY KEY (account, position)
        );

        CREATE TABLE underway.result (
            account bigint NOT NULL,
            device integer NOT NULL,
            counter bigint NOT NULL CHECK (counter > 0),
            kind text NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
            revision bigint NOT NULL DEFAULT 0,
            refusal text NOT NULL DEFAULT '',
            hash bytea NOT NULL,
            PRIMARY KEY (account, device, counter),
            FOREIGN KEY (account, device) REFERENCES underway.device (account, number) ON DELETE CASCADE
        );
        """
}
