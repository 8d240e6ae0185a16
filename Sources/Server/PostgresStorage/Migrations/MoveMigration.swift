/// The moves of accounts into others.
enum MoveMigration {
    /// The table of moves; programs of before go on beside it, and take a moved account for a deleted one.
    static let moves = PostgresMigration(
        name: "13 moves", script: [table, rights, erasure].joined(separator: "\n\n"))

    /// Accounts are named by their ids: the row outlives the account, and tells its devices where everything went.
    private static let table = """
        CREATE TABLE underway.account_move (
            source text collate "C" PRIMARY KEY CHECK (octet_length(source) BETWEEN 1 AND 200),
            target text collate "C" NOT NULL CHECK (octet_length(target) BETWEEN 1 AND 200),
            answers bigint NOT NULL CHECK (answers >= 0),
            begun_at bigint NOT NULL,
            finished_at bigint,
            place text NOT NULL
        );

        CREATE INDEX account_move_by_target ON underway.account_move (target);

        CREATE INDEX account_move_by_end ON underway.account_move (finished_at);
        """

    /// Sign-in begins and ends moves; upkeep gives places on boards and in events to the account that stays.
    ///
    /// Answers, records and results are read as the one account and written as the other: no role sees both.
    private static let rights = """
        ALTER TABLE underway.account_move ENABLE ROW LEVEL SECURITY;

        ALTER TABLE underway.account_move FORCE ROW LEVEL SECURITY;

        CREATE POLICY accounts ON underway.account_move TO underway_accounts
            USING (TRUE) WITH CHECK (TRUE);

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.account_move TO underway_accounts;

        GRANT UPDATE (account, is_listed) ON underway.board_profile TO underway_keeper;

        GRANT INSERT, UPDATE (account, points, at) ON underway.event_submission TO underway_keeper;

        GRANT INSERT ON underway.event_score TO underway_keeper;

        CREATE POLICY keeper ON underway.device FOR SELECT TO underway_keeper
            USING (name ~ '^d[A-Za-z0-9_-]{22}$');

        GRANT SELECT (account, name) ON underway.device TO underway_keeper;
        """

    /// Leaves an account that moves alone, whose rows are still being copied.
    ///
    /// The function keeps its name, so that programs of before leave it alone as well.
    private static let erasure = AccountMigration.erasing(
        "CREATE OR REPLACE FUNCTION", "deleted_at IS NOT NULL AND id NOT LIKE 'moving %'")
}
