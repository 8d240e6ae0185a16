/// The schema `content`: published exams as public tables.
///
/// ```sql
/// select id, stem from content.exam_questions('de', 'aws-saa', 3);
/// ```
///
/// The constraints of the tables accept exactly the questions that `Question.read` accepts, so that no other writer can
/// insert a question that a device would reject.
package enum ContentSchema {
    /// The script of the role and the schema, which an administrator runs; it may run again.
    ///
    /// The migrations' role `underway_owner`, if it exists, owns the schema. The program's login `underway_server`, if
    /// it exists, may fill the tables.
    package static let preparation = """
        do $$ begin
            if getdatabaseencoding() <> 'UTF8' then
                raise exception 'The database has the encoding %, but content needs UTF8.',
                    getdatabaseencoding();
            end if;
            if not exists (select from pg_catalog.pg_roles where rolname = '\(writer)') then
                begin
                    create role \(writer) nologin;
                exception
                    -- Roles are common to all databases of a server; another one was prepared too.
                    when duplicate_object or unique_violation then null;
                end;
            end if;
            if to_regnamespace('content') is null then
                create schema content;
                if exists (select from pg_catalog.pg_roles where rolname = 'underway_owner') then
                    alter schema content owner to underway_owner;
                end if;
            end if;
            if exists (select from pg_catalog.pg_roles where rolname = 'underway_server')
                and not pg_has_role('underway_server', '\(writer)', 'member') then
                grant \(writer) to underway_server;
            end if;
        end $$;
        """

    /// The script of the tables with their constraints and queries, which runs once in an empty schema after
    /// `preparation`.
    package static let sql = [texts, keys, tables, queries, rights].joined(separator: "\n")

    /// The role with the right to write the tables; a login that fills them is a member of it.
    package static let writer = "underway_publisher"

    /// Everybody reads, also roles of later schemas; the writer writes rows and changes no table.
    private static let rights = """
        grant usage on schema content to public;
        grant select on all tables in schema content to public;
        grant execute on all functions in schema content to public;
        grant insert, update, delete on all tables in schema content to \(writer);
        """
}
