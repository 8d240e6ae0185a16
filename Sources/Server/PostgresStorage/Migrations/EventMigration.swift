/// The live events and the submissions to them.
enum EventMigration {
    /// The events; programs of before go on beside them and know none.
    static let events = PostgresMigration(
        name: "6 events", script: [tables, policies].joined(separator: "\n\n"))

    /// A change is the number of the transaction that wrote a score, so that a reader which knows the oldest transaction
    /// still under way misses none.
    private static let tables = """
        CREATE TABLE underway.event (
            number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id text collate "C" NOT NULL UNIQUE,
            name text collate "C" NOT NULL UNIQUE,
            text text NOT NULL,
            frozen_at bigint,
            places integer NOT NULL DEFAULT 0 CHECK (places >= 0)
        );

        CREATE TABLE underway.event_submission (
            event integer NOT NULL REFERENCES underway.event (number) ON DELETE CASCADE,
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            id text collate "C" NOT NULL,
            points integer NOT NULL CHECK (points >= 0),
            at bigint NOT NULL,
            PRIMARY KEY (event, account, id)
        );

        CREATE INDEX event_submission_by_account ON underway.event_submission (account);

        CREATE TABLE underway.event_score (
            event integer NOT NULL REFERENCES underway.event (number) ON DELETE CASCADE,
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            score integer NOT NULL CHECK (score >= 0),
            second integer NOT NULL CHECK (second >= 0),
            submissions integer NOT NULL CHECK (submissions > 0),
            change bigint NOT NULL DEFAULT 0,
            rank integer CHECK (rank > 0),
            PRIMARY KEY (event, account)
        );

        CREATE INDEX event_score_by_change ON underway.event_score (event, change);

        CREATE INDEX event_score_by_rank ON underway.event_score (event, rank) WHERE rank IS NOT NULL;

        CREATE INDEX event_score_by_account ON underway.event_score (account);
        """

    /// A user's own submissions and score; the keeper declares events, ranks and removes.
    private static let policies = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY['event', 'event_submission', 'event_score']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy keeper on underway.%I to underway_keeper
                    using (true) with check (true)', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['event_submission', 'event_score']
            LOOP
                EXECUTE format('create policy own on underway.%I to authenticated
                    using (account = (select underway.claim()))
                    with check (account = (select underway.claim()))', name);
                EXECUTE format('create policy erased on underway.%I to underway_owner
                    using (account = (select underway.erased()))', name);
            END LOOP;
        END $$;

        CREATE POLICY all_read ON underway.event FOR SELECT TO authenticated USING (TRUE);

        GRANT SELECT ON underway.event TO authenticated;

        GRANT SELECT, INSERT ON underway.event_submission TO authenticated;

        GRANT SELECT, INSERT, UPDATE ON underway.event_score TO authenticated;

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.event TO underway_keeper;

        GRANT SELECT, DELETE ON underway.event_submission TO underway_keeper;

        GRANT SELECT, UPDATE, DELETE ON underway.event_score TO underway_keeper;
        """
}
