extension ContentSchema {
    /// The tables.
    ///
    /// Names are natural keys, so that a reader needs no join to understand a row. Ids are compared
    /// by bytes (`collate "C"`), as everywhere else. What was removed leaves a row in a table of its
    /// own, so that the main tables have only what is published.
    static let tables = regionTables + questionTables + removalTables

    private static let regionTables = """
        -- One row: the last revision, the release that the tables show, and the history that the
        -- revisions belong to.
        create table content.state (
            number integer primary key default 1 check (number = 1),
            epoch uuid not null default gen_random_uuid(),
            revision bigint not null default 0 check (revision >= 0),
            release bigint not null default 0 check (release >= 0),
            manifest text not null default '',
            filled_at timestamptz
        );
        insert into content.state default values;

        create table content.regions (
            id text collate "C" primary key check (content.identifier_ok(id))
        );

        create table content.exams (
            region text collate "C" not null references content.regions,
            id text collate "C" not null check (content.identifier_ok(id)),
            title text not null,
            version text not null,
            levels jsonb not null default '{}' check (jsonb_typeof(levels) = 'object'),
            scoring jsonb not null default '{}' check (jsonb_typeof(scoring) = 'object'),
            checksum text not null,
            content_updated_at timestamptz not null,
            revision bigint not null check (revision > 0),
            primary key (region, id)
        );

        create table content.domains (
            region text collate "C" not null,
            exam text collate "C" not null,
            id text collate "C" not null check (content.identifier_ok(id)),
            title text not null,
            weight double precision not null check (weight > 0),
            place integer not null check (place >= 0),
            primary key (region, exam, id),
            foreign key (region, exam) references content.exams on delete cascade
        );

        """

    /// `bytes` is the size of the question as JSON, by which pages are bounded.
    private static let questionTables = """
        create table content.questions (
            region text collate "C" not null,
            exam text collate "C" not null,
            id text collate "C" not null check (content.identifier_ok(id)),
            domain text collate "C",
            type text not null check (type in (
                'single-choice', 'multi-choice', 'ordering', 'code-snippet', 'numeric-entry')),
            difficulty integer not null check (difficulty between 1 and 5),
            stem text not null check (content.is_visible(stem) and content.text_ok(stem)),
            code_language text,
            code text check (content.text_ok(coalesce(code, ''))),
            image text check (image is null or content.path_ok(image)),
            audio jsonb check (audio is null or content.audio_ok(audio)),
            options jsonb,
            correct jsonb not null,
            explanation text check (content.text_ok(coalesce(explanation, ''))),
            tags text[] not null default '{}' check (array_position(tags, null) is null),
            shuffles boolean not null default true,
            retired boolean not null default false,
            text_form text not null default 'plain' check (text_form in ('plain', 'markdown')),
            bytes integer not null check (bytes > 0),
            checksum text not null,
            content_updated_at timestamptz not null,
            revision bigint not null check (revision > 0),
            primary key (region, exam, id),
            foreign key (region, exam) references content.exams,
            foreign key (region, exam, domain) references content.domains,
            constraint questions_snippet_check check (
                (code is null) = (code_language is null)
                and (type <> 'code-snippet' or code is not null)),
            constraint questions_options_check check (
                case when type = 'numeric-entry' then options is null
                    else content.options_ok(options) end),
            constraint questions_correct_check check (
                content.key_ok(type, correct, content.option_count(options)))
        );
        create index questions_difficulty on content.questions (region, exam, difficulty, id);
        create index questions_changes
            on content.questions (region, exam, content_updated_at, revision, id) include (bytes);

        """

    private static let removalTables = """
        create table content.removed_exams (
            region text collate "C" not null,
            id text collate "C" not null,
            content_updated_at timestamptz not null,
            revision bigint not null,
            primary key (region, id)
        );

        create table content.removed_questions (
            region text collate "C" not null,
            exam text collate "C" not null,
            id text collate "C" not null,
            content_updated_at timestamptz not null,
            revision bigint not null,
            primary key (region, exam, id)
        );
        create index removed_questions_changes
            on content.removed_questions (region, exam, content_updated_at, revision, id);
        """
}
