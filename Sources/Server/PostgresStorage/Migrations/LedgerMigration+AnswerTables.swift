extension LedgerMigration {
    /// Answers as rows of numbers, and the texts that these refer to.
    ///
    /// Positive numbers of names are left for published content. A version refers to its question. An answer that the
    /// server did not take is a row of NULL. Credit is NULL where it follows from the first bit of `flags`; the second
    /// is for chance alone, those from 4 on are the recall. Answers refer to nothing by foreign keys: each check would
    /// cost as much as its row.
    static let answers = """
        CREATE TABLE underway.own_name (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            number integer NOT NULL CHECK (number < 0),
            kind text NOT NULL CHECK (kind IN ('question', 'version', 'options')),
            digest uuid NOT NULL,
            question integer,
            bank text collate "C",
            domain text collate "C",
            text text collate "C" NOT NULL,
            PRIMARY KEY (account, number),
            UNIQUE (account, digest),
            CHECK ((kind = 'question') = (bank IS NOT NULL) AND (kind = 'version') = (question IS NOT NULL)
                AND (kind = 'version' OR domain IS NULL))
        );

        CREATE TABLE underway.session (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            number integer NOT NULL CHECK (number > 0),
            name text collate "C" NOT NULL,
            mode text collate "C" NOT NULL,
            PRIMARY KEY (account, number),
            UNIQUE (account, name, mode)
        );

        CREATE TABLE underway.answer (
            account bigint NOT NULL,
            at bigint CHECK (at >= 0),
            device integer NOT NULL,
            counter integer NOT NULL CHECK (counter > 0),
            question integer,
            session integer,
            options integer,
            taken integer CHECK (taken BETWEEN 0 AND 86400000),
            exposures integer CHECK (exposures >= 0),
            flags smallint,
            credit double precision,
            response text,
            PRIMARY KEY (account, device, counter),
            CHECK ((question IS NULL) = (at IS NULL) AND (question IS NULL) = (session IS NULL)
                AND (question IS NULL) = (taken IS NULL) AND (question IS NULL) = (exposures IS NULL)
                AND (question IS NULL) = (flags IS NULL)
                AND (question IS NULL) = (options IS NULL AND response IS NULL)
                AND (options IS NULL OR response IS NULL) AND (question IS NOT NULL OR credit IS NULL))
        );
        """

    /// The sums of answers by day, bank and domain, and what is needed to count different questions.
    ///
    /// A question counts in the row of the day, and in the row of its domain, in which it was first seen, so that the
    /// sums over rows are numbers of different questions. `histogram` counts the steps of `time_step`.
    static let sums = """
        CREATE TABLE underway.question_day (
            account bigint NOT NULL,
            day integer NOT NULL,
            question integer NOT NULL,
            PRIMARY KEY (account, day, question)
        );

        CREATE TABLE underway.question_domain (
            account bigint NOT NULL,
            question integer NOT NULL,
            domain text collate "C" NOT NULL,
            PRIMARY KEY (account, question, domain)
        );

        CREATE TABLE underway.answer_day (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            day integer NOT NULL,
            bank text collate "C" NOT NULL,
            domain text collate "C" NOT NULL,
            answers integer NOT NULL,
            correct integer NOT NULL,
            questions_of_day integer NOT NULL,
            questions_of_domain integer NOT NULL,
            taken bigint NOT NULL,
            last_at bigint NOT NULL,
            histogram integer[] NOT NULL,
            PRIMARY KEY (account, day, bank, domain)
        ) WITH (fillfactor = 70);
        """
}
