/// The sums of sessions, and the boards that are computed from them.
enum BoardMigration {
    /// The boards; programs of before go on beside them, but what they store is in no sum until `board recount`.
    static let boards = PostgresMigration(
        name: "5 boards", script: [sessions, tables, policies].joined(separator: "\n\n"))

    /// A change is a row of its own, never one that is written again: a refresher that removes what it saw must not
    /// remove what came meanwhile.
    private static let sessions = """
        CREATE TABLE underway.session_score (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            bank text collate "C" NOT NULL,
            session bigint NOT NULL,
            mode text collate "C" NOT NULL,
            answers integer NOT NULL,
            points integer NOT NULL,
            first_answers integer NOT NULL,
            first_points integer NOT NULL,
            ended_at bigint NOT NULL,
            PRIMARY KEY (account, bank, session)
        );

        CREATE INDEX session_score_by_end ON underway.session_score (account, bank, ended_at);

        CREATE INDEX session_score_by_bank ON underway.session_score (bank, account);

        CREATE TABLE underway.board_profile (
            account bigint PRIMARY KEY REFERENCES underway.account (number) ON DELETE CASCADE,
            code text collate "C" NOT NULL UNIQUE,
            name text CHECK (length(name) > 0),
            is_listed boolean NOT NULL
        );

        CREATE TABLE underway.board_change (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            member bigint NOT NULL
        );
        """

    /// A member is the number of an account, without a foreign key and by another name, so that erasing an account
    /// leaves its place to the next refresh, which removes it together with its bucket's count.
    private static let tables = """
        CREATE TABLE underway.board_definition (
            name text collate "C" PRIMARY KEY,
            text text NOT NULL
        );

        CREATE TABLE underway.board (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text collate "C" NOT NULL,
            period text NOT NULL CHECK (period IN ('day', 'week', 'month', 'all')),
            first_day text NOT NULL,
            starts_at bigint NOT NULL,
            ends_at bigint,
            scoring text NOT NULL,
            filled_through bigint,
            refreshed_at bigint NOT NULL,
            is_closed boolean NOT NULL,
            UNIQUE (name, period, first_day, scoring)
        );

        CREATE TABLE underway.board_score (
            board bigint NOT NULL,
            member bigint NOT NULL,
            key bigint NOT NULL CHECK (key >= 0),
            PRIMARY KEY (member, board)
        );

        CREATE UNIQUE INDEX board_score_by_key ON underway.board_score (board, key, member);

        CREATE TABLE underway.board_bucket (
            board bigint NOT NULL REFERENCES underway.board (number) ON DELETE CASCADE,
            low bigint NOT NULL CHECK (low >= 0),
            places integer NOT NULL CHECK (places >= 0),
            PRIMARY KEY (board, low)
        );
        """

    /// A user's own sums and profile; the keeper computes boards and shows them, users see no row of these themselves.
    private static let policies = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY['session_score', 'board_profile']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy own on underway.%I to authenticated
                    using (account = (select underway.claim()))
                    with check (account = (select underway.claim()))', name);
                EXECUTE format('create policy erased on underway.%I to underway_owner
                    using (account = (select underway.erased()))', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY[
                'board_change', 'board_definition', 'board', 'board_score', 'board_bucket']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy keeper on underway.%I to underway_keeper
                    using (true) with check (true)', name);
            END LOOP;
        END $$;

        CREATE POLICY keeper ON underway.session_score FOR SELECT TO underway_keeper USING (TRUE);

        CREATE POLICY keeper ON underway.board_profile TO underway_keeper
            USING (TRUE) WITH CHECK (TRUE);

        CREATE POLICY own ON underway.board_change FOR INSERT TO authenticated
            WITH CHECK (member = (SELECT underway.claim()));

        CREATE POLICY accounts ON underway.board_change FOR INSERT TO underway_accounts
            WITH CHECK (TRUE);

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.session_score TO authenticated;

        GRANT SELECT, INSERT, UPDATE ON underway.board_profile TO authenticated;

        GRANT INSERT ON underway.board_change TO authenticated, underway_accounts;

        GRANT SELECT ON underway.session_score TO underway_keeper;

        GRANT SELECT, UPDATE (name) ON underway.board_profile TO underway_keeper;

        GRANT SELECT, DELETE ON underway.board_change TO underway_keeper;

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.board_definition, underway.board,
            underway.board_score, underway.board_bucket TO underway_keeper;
        """
}
