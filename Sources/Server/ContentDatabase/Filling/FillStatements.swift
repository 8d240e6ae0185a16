import ContentModel
import PostgresDriver

/// The statements that read the tables before a fill, and that surround it.
enum FillStatements {
    /// The number of the lock that one filling process has at a time.
    private static let lock: Int64 = 0x636F_6E74_656E_7431

    /// The time limit of a statement, and of the pause in which the next bank is read; the limits of the login
    /// are for requests, of which each is short.
    private static let timeLimit = "60s"

    /// Takes the role and the time limits of the writer until the transaction ends.
    static var takeRole: PostgresStatement {
        """
        select set_config('role', \(ContentSchema.writer), true),
            set_config('statement_timeout', \(timeLimit), true),
            set_config('idle_in_transaction_session_timeout', \(timeLimit), true)
        """
    }

    /// Takes the lock until the transaction ends, unless another process has it.
    static var takeLock: PostgresStatement {
        "select pg_try_advisory_xact_lock(\(lock)) as taken"
    }

    static let state: PostgresStatement = """
        select left(epoch::text, 8) as epoch, revision, release, manifest from content.state
        """

    static let startEpoch: PostgresStatement = """
        update content.state set epoch = gen_random_uuid() returning left(epoch::text, 8) as epoch
        """

    static let exams: PostgresStatement = """
        select region, id, checksum, content_updated_at from content.exams
        """

    static let removedExams: PostgresStatement = """
        select region, id, content_updated_at from content.removed_exams
        """

    /// Records the release that the tables show.
    static func finish(
        revision: Int64, release: Int, manifest: Checksum, now: Moment
    ) -> PostgresStatement {
        """
        update content.state set revision = \(revision), release = \(release),
            manifest = \(manifest.description), filled_at = \(now)
        """
    }
}

/// The statements that write one exam.
struct ExamStatements {
    let exam: ExamKey
    let updatedAt: Moment
    let revision: Int64

    /// Advances the time of change alone.
    var touch: PostgresStatement {
        """
        update content.exams set content_updated_at = \(updatedAt)
        where region = \(exam.region) and id = \(exam.exam)
        """
    }

    /// Reads the checksums of the exam's questions.
    var present: PostgresStatement {
        """
        select id, checksum from content.questions
        where region = \(exam.region) and exam = \(exam.exam)
        """
    }

    /// Writes the exam and its domains, before the questions that name them.
    func open(_ bank: Blueprint, checksum: Checksum) -> [PostgresStatement] {
        let levels = bank.json.text(of: "levels")
        let scoring = bank.json.text(of: "scoring")
        return [
            "insert into content.regions (id) values (\(exam.region)) on conflict do nothing",
            """
            insert into content.exams as e (region, id, title, version, levels, scoring, checksum,
                content_updated_at, revision)
            values (\(exam.region), \(exam.exam), \(bank.title), \(bank.version), \(levels),
                \(scoring), \(checksum.description), \(updatedAt), \(revision))
            on conflict (region, id) do update set (title, version, levels, scoring, checksum,
                content_updated_at, revision) = row (excluded.title, excluded.version,
                excluded.levels, excluded.scoring, excluded.checksum, excluded.content_updated_at,
                excluded.revision)
            """,
            """
            delete from content.removed_exams
            where region = \(exam.region) and id = \(exam.exam)
            """,
            """
            insert into content.domains (region, exam, id, title, weight, place)
            select \(exam.region), \(exam.exam), d.id, d.title, d.weight, d.place - 1
            from unnest(\(bank.domains.map(\.id))::text[], \(bank.domains.map(\.title))::text[],
                \(bank.domains.map(\.weight))::float8[]) with ordinality
                as d (id, title, weight, place)
            on conflict (region, exam, id) do update set (title, weight, place)
                = row (excluded.title, excluded.weight, excluded.place)
            """,
        ]
    }

    /// Writes questions; each constraint judges each row.
    func write(_ rows: ArraySlice<BankChange.Row>) -> [PostgresStatement] {
        [
            """
            insert into content.questions (region, exam, id, domain, type, difficulty, stem,
                code_language, code, image, audio, options, correct, explanation, tags, shuffles, retired,
                text_form, bytes, checksum, content_updated_at, revision)
            select \(exam.region), \(exam.exam), q->>'id', q->>'domain', q->>'type',
                (q->>'difficulty')::integer, q->>'stem', q->'code'->>'language',
                q->'code'->>'text', q->>'image', q->'audio', q->'options',
                coalesce(q->'correct', q->'number'),
                q->>'explanation', coalesce((
                    select array_agg(tag order by place)
                    from jsonb_array_elements_text(q->'tags') with ordinality as t (tag, place)),
                    '{}'),
                coalesce((q->>'shuffle')::boolean, true),
                coalesce((q->>'retired')::boolean, false), coalesce(q->>'text', 'plain'),
                octet_length(json), checksum,
                \(updatedAt), \(revision)
            from unnest(\(rows.map(\.json))::text[], \(rows.map(\.checksum))::text[])
                as document (json, checksum), lateral (select json::jsonb as q) as parsed
            on conflict (region, exam, id) do update set (domain, type, difficulty, stem,
                code_language, code, image, audio, options, correct, explanation, tags, shuffles, retired,
                text_form, bytes, checksum, content_updated_at, revision) = row (excluded.domain,
                excluded.type, excluded.difficulty, excluded.stem, excluded.code_language,
                excluded.code, excluded.image, excluded.audio, excluded.options, excluded.correct,
                excluded.explanation, excluded.tags, excluded.shuffles, excluded.retired,
                excluded.text_form, excluded.bytes, excluded.checksum, excluded.content_updated_at, excluded.revision)
            """,
            """
            delete from content.removed_questions
            where region = \(exam.region) and exam = \(exam.exam)
                and id = any (\(rows.map(\.id))::text[])
            """,
        ]
    }

    /// Removes questions, then the domains that the bank no longer has.
    func close(removing ids: [String], domains: [String]) -> [PostgresStatement] {
        let domains: PostgresStatement = """
            delete from content.domains
            where region = \(exam.region) and exam = \(exam.exam)
                and id <> all (\(domains)::text[])
            """
        guard !ids.isEmpty else { return [domains] }
        return [
            """
            with gone as (
                delete from content.questions
                where region = \(exam.region) and exam = \(exam.exam)
                    and id = any (\(ids)::text[])
                returning region, exam, id
            )
            insert into content.removed_questions (region, exam, id, content_updated_at, revision)
            select region, exam, id, \(updatedAt), \(revision) from gone
            """,
            domains,
        ]
    }

    /// Removes the exam with all that belongs to it.
    var remove: [PostgresStatement] {
        [
            """
            with gone as (
                delete from content.questions
                where region = \(exam.region) and exam = \(exam.exam)
                returning region, exam, id
            )
            insert into content.removed_questions (region, exam, id, content_updated_at, revision)
            select region, exam, id, \(updatedAt), \(revision) from gone
            """,
            """
            insert into content.removed_exams (region, id, content_updated_at, revision)
            values (\(exam.region), \(exam.exam), \(updatedAt), \(revision))
            """,
            """
            delete from content.exams where region = \(exam.region) and id = \(exam.exam)
            """,
            """
            delete from content.regions as r where r.id = \(exam.region)
                and not exists (select from content.exams as e where e.region = r.id)
            """,
        ]
    }
}

extension JSONValue {
    /// Returns the canonical text of an object's member; of an empty object where there is none.
    fileprivate func text(of member: String) -> String {
        guard case .object(let members) = self, let value = members[member] else { return "{}" }
        return String(decoding: value.canonicalBytes, as: UTF8.self)
    }
}
