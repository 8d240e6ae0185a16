/// The content of devices, the roles of accounts, the audit log, and names that an operator forbids.
enum OperationsMigration {
    /// What operators see; programs of before go on beside it, and write nothing into it.
    static let operations = PostgresMigration(
        name: "7 operations", script: [tables, policies].joined(separator: "\n\n"))

    private static let tables = """
        CREATE TABLE underway.device_content (
            account bigint NOT NULL,
            device smallint NOT NULL,
            release bigint NOT NULL CHECK (release >= 0),
            obstacle text collate "C" NOT NULL DEFAULT '',
            since bigint NOT NULL,
            day integer NOT NULL,
            PRIMARY KEY (account, device),
            FOREIGN KEY (account, device) REFERENCES underway.device (account, number)
                ON DELETE CASCADE
        );

        CREATE INDEX device_content_by_day ON underway.device_content (day, release, obstacle);

        CREATE TABLE underway.role (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            role text collate "C" NOT NULL CHECK (role IN ('author', 'publisher', 'administrator')),
            since bigint NOT NULL,
            PRIMARY KEY (account, role)
        );

        CREATE TABLE underway.audit (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            actor text collate "C" NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
            action text collate "C" NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
            subject text collate "C" NOT NULL,
            detail text collate "C" NOT NULL DEFAULT ''
        );

        CREATE INDEX audit_by_action ON underway.audit (action, actor, number);

        CREATE INDEX audit_by_time ON underway.audit (at);

        -- The time before which entries may be removed, by the database's own clock: after 720 days.
        CREATE FUNCTION underway.audit_end() RETURNS bigint LANGUAGE sql STABLE
            SET search_path = underway, pg_temp
            AS $$ SELECT (extract(epoch FROM now()) * 1000)::bigint - 62208000000 $$;

        ALTER TABLE underway.board_profile ADD COLUMN is_name_blocked boolean NOT NULL DEFAULT false;
        """

    /// No role of the server may change an entry, or remove one before its time.
    private static let policies = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY['device_content', 'role', 'audit']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['device_content', 'role']
            LOOP
                EXECUTE format('create policy erased on underway.%I to underway_owner
                    using (account = (select underway.erased()))', name);
            END LOOP;
        END $$;

        CREATE POLICY own ON underway.device_content TO authenticated
            USING (account = (SELECT underway.claim()))
            WITH CHECK (account = (SELECT underway.claim()));

        CREATE POLICY keeper ON underway.device_content FOR SELECT TO underway_keeper USING (TRUE);

        CREATE POLICY keeper ON underway.role TO underway_keeper USING (TRUE) WITH CHECK (TRUE);

        CREATE POLICY accounts ON underway.role TO underway_accounts USING (TRUE) WITH CHECK (TRUE);

        CREATE POLICY keeper ON underway.audit FOR SELECT TO underway_keeper USING (TRUE);

        CREATE POLICY appended ON underway.audit FOR INSERT TO underway_keeper WITH CHECK (TRUE);

        CREATE POLICY accounts ON underway.audit FOR INSERT TO underway_accounts WITH CHECK (TRUE);

        CREATE POLICY expired ON underway.audit FOR DELETE TO underway_keeper
            USING (at < (SELECT underway.audit_end()));

        GRANT SELECT, INSERT, UPDATE ON underway.device_content TO authenticated;

        GRANT SELECT ON underway.device_content TO underway_keeper;

        GRANT SELECT, INSERT, DELETE ON underway.role TO underway_keeper;

        GRANT SELECT, DELETE ON underway.role TO underway_accounts;

        GRANT SELECT, INSERT, DELETE ON underway.audit TO underway_keeper;

        GRANT INSERT ON underway.audit TO underway_accounts;

        GRANT UPDATE (is_name_blocked) ON underway.board_profile TO underway_keeper;
        """
}
