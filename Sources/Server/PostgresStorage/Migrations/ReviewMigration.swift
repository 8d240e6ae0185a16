/// What the review of keys works on: first answers of those who agreed, reports, proposals.
enum ReviewMigration {
    /// The review; programs of before go on beside it, and what they store is in no first answer until the learner
    /// agrees anew.
    static let review = PostgresMigration(
        name: "8 review", script: [answers, proposals, policies].joined(separator: "\n\n"))

    /// An exchange adds to `first_answer_inbox`; one process at a time moves its rows to `first_answer`, so that numbers
    /// there grow in the order of commits, and a reader who knows one misses none below it.
    private static let answers = """
        CREATE TABLE underway.contributor (
            account bigint PRIMARY KEY REFERENCES underway.account (number) ON DELETE CASCADE,
            number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
            since bigint NOT NULL
        );

        CREATE TABLE underway.first_answer_inbox (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            account bigint NOT NULL REFERENCES underway.contributor (account) ON DELETE CASCADE,
            item bigint NOT NULL,
            response text collate "C" NOT NULL,
            flags smallint NOT NULL
        );

        CREATE INDEX first_answer_inbox_by_account ON underway.first_answer_inbox (account);

        CREATE TABLE underway.first_answer (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            contributor bigint NOT NULL REFERENCES underway.contributor (number) ON DELETE CASCADE,
            item bigint NOT NULL,
            response text collate "C" NOT NULL,
            flags smallint NOT NULL,
            UNIQUE (contributor, item)
        );

        CREATE TABLE underway.question_report (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            bank text collate "C" NOT NULL,
            question text collate "C" NOT NULL,
            version text collate "C" NOT NULL,
            reason text collate "C" NOT NULL,
            text text NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (account, bank, question)
        );

        CREATE INDEX question_report_by_question
            ON underway.question_report (bank, question, version);

        CREATE INDEX question_report_by_time ON underway.question_report (at);

        CREATE TABLE underway.review_change (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            member bigint NOT NULL
        );
        """

    private static let proposals = """
        CREATE TABLE underway.proposal (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            bank text collate "C" NOT NULL,
            question text collate "C" NOT NULL,
            version text collate "C" NOT NULL,
            key text collate "C" NOT NULL,
            proposed_key text collate "C",
            state text NOT NULL CHECK (state IN ('open', 'confirmed', 'dismissed', 'shipped')),
            evidence text NOT NULL,
            flagged_at bigint NOT NULL,
            changed_at bigint NOT NULL,
            actor text collate "C",
            decided_at bigint,
            reason text NOT NULL DEFAULT '',
            release bigint,
            shipped_at bigint,
            follows bigint REFERENCES underway.proposal (number),
            CHECK ((actor IS NULL) = (decided_at IS NULL)),
            CHECK (state = 'open' OR actor IS NOT NULL),
            CHECK ((state = 'shipped') = (release IS NOT NULL)),
            CHECK ((release IS NULL) = (shipped_at IS NULL))
        );

        CREATE UNIQUE INDEX proposal_pending ON underway.proposal (bank, question)
            WHERE state IN ('open', 'confirmed');

        CREATE INDEX proposal_by_question ON underway.proposal (bank, question, number);

        CREATE INDEX proposal_by_change ON underway.proposal (state, changed_at);

        CREATE TABLE underway.release_spread (
            release bigint PRIMARY KEY,
            served_at bigint NOT NULL,
            half bigint,
            most bigint,
            nearly_all bigint
        );
        """

    /// A user's own consent, answers and reports; the keeper reads them, and decides about proposals.
    private static let policies = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY['contributor', 'first_answer_inbox', 'first_answer',
                'question_report', 'review_change', 'proposal', 'release_spread']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy keeper on underway.%I to underway_keeper
                    using (true) with check (true)', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['contributor', 'first_answer_inbox', 'question_report']
            LOOP
                EXECUTE format('create policy own on underway.%I to authenticated
                    using (account = (select underway.claim()))
                    with check (account = (select underway.claim()))', name);
                EXECUTE format('create policy erased on underway.%I to underway_owner
                    using (account = (select underway.erased()))', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['contributor', 'question_report']
            LOOP
                EXECUTE format('create policy accounts on underway.%I to underway_accounts
                    using (true) with check (true)', name);
            END LOOP;
        END $$;

        CREATE POLICY own ON underway.review_change FOR INSERT TO authenticated
            WITH CHECK (member = (SELECT underway.claim()));

        GRANT SELECT, INSERT, DELETE ON underway.contributor, underway.question_report
            TO authenticated;

        GRANT UPDATE (version, reason, text) ON underway.question_report TO authenticated;

        GRANT INSERT ON underway.first_answer_inbox, underway.review_change TO authenticated;

        GRANT SELECT, DELETE ON underway.contributor, underway.question_report
            TO underway_accounts;

        GRANT SELECT, UPDATE (since) ON underway.contributor TO underway_keeper;

        GRANT SELECT, DELETE ON underway.first_answer_inbox, underway.review_change
            TO underway_keeper;

        GRANT SELECT, INSERT ON underway.first_answer TO underway_keeper;

        GRANT SELECT ON underway.question_report TO underway_keeper;

        GRANT SELECT, INSERT, UPDATE ON underway.proposal, underway.release_spread
            TO underway_keeper;
        """
}
