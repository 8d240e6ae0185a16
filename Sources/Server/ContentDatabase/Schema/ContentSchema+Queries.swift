extension ContentSchema {
    /// The documented functions.
    ///
    /// Each body is one query, so that PostgreSQL plans it as a part of the calling statement.
    static let queries = """
        create function content.exam_questions(
            of_region text, of_exam text, of_difficulty integer default null
        ) returns setof content.questions
        language sql stable parallel safe
        begin atomic
            select q.* from content.questions q
            where q.region = of_region and q.exam = of_exam
                and (of_difficulty is null or q.difficulty = of_difficulty) and not q.retired;
        end;

        create function content.question_json(q content.questions) returns jsonb
        language sql immutable parallel safe
        return jsonb_strip_nulls(jsonb_build_object(
            'id', q.id, 'type', q.type, 'domain', q.domain, 'difficulty', q.difficulty,
            'stem', q.stem, 'image', q.image, 'audio', q.audio, 'options', q.options,
            'explanation', q.explanation,
            'code', case when q.code is not null then
                jsonb_build_object('language', q.code_language, 'text', q.code) end,
            'correct', case when q.type <> 'numeric-entry' then q.correct end,
            'number', case when q.type = 'numeric-entry' then q.correct end,
            'tags', case when cardinality(q.tags) > 0 then to_jsonb(q.tags) end,
            'shuffle', case when not q.shuffles then false end,
            'retired', case when q.retired then true end,
            'text', case when q.text_form <> 'plain' then q.text_form end));

        -- Changes after a position, oldest first; `question` is null where one was removed. At most
        -- `rows_max` rows and `bytes_max` bytes, but at least one row if there is one.
        create function content.exam_changes(
            of_region text, of_exam text, after_time timestamptz, after_revision bigint,
            after_id text, rows_max integer, bytes_max bigint
        ) returns table (
            id text, content_updated_at timestamptz, revision bigint, question jsonb, more boolean)
        language sql stable parallel safe
        begin atomic
            with present as (
                select q.id, q.content_updated_at, q.revision, q.bytes, true as is_present
                from content.questions q
                where q.region = of_region and q.exam = of_exam
                    and (q.content_updated_at, q.revision, q.id)
                        > (after_time, after_revision, after_id)
                order by q.content_updated_at, q.revision, q.id limit rows_max + 1
            ), removed as (
                select r.id, r.content_updated_at, r.revision, 80 as bytes, false as is_present
                from content.removed_questions r
                where r.region = of_region and r.exam = of_exam
                    and (r.content_updated_at, r.revision, r.id)
                        > (after_time, after_revision, after_id)
                order by r.content_updated_at, r.revision, r.id limit rows_max + 1
            ), both_kinds as (
                select * from present union all select * from removed
            ), numbered as (
                select b.*, row_number() over in_order as number, count(*) over () as total,
                    sum(b.bytes) over in_order as bytes_so_far
                from both_kinds b
                window in_order as (order by b.content_updated_at, b.revision, b.id)
            ), page as (
                select * from numbered n
                where n.number <= rows_max and (n.number = 1 or n.bytes_so_far <= bytes_max)
            )
            select p.id, p.content_updated_at, p.revision, case when p.is_present then (
                    select content.question_json(q) from content.questions q
                    where q.region = of_region and q.exam = of_exam and q.id = p.id) end,
                p.number < p.total
            from page p order by p.number;
        end;
        """
}
