"""What the server stores of an account, by its rows and by its API, in the form in which devices show it."""

COLLECTIONS = ("notes", "stars", "exams", "preferences", "profiles", "points")

# `sums` has pairs: what is stored as a number, and what was counted for it.
ROWS = """
SELECT json_build_object(
    'records', (SELECT coalesce(json_agg(record.json), '[]') FROM underway.record AS record
        WHERE record.account = account.number AND record.deleted_at IS NULL),
    'answers', (SELECT coalesce(json_agg(question.text), '[]') FROM underway.answer AS answer
        JOIN underway.own_name AS version
            ON version.account = answer.account AND version.number = answer.question
        JOIN underway.own_name AS question
            ON question.account = answer.account AND question.number = version.question
        WHERE answer.account = account.number),
    'sums', json_build_object(
        'answers of the account', json_build_array(account.answer_count,
            (SELECT count(*) FROM underway.answer AS answer
                WHERE answer.account = account.number)),
        'answers by day', json_build_array(
            (SELECT coalesce(sum(day.answers), 0) FROM underway.answer_day AS day
                WHERE day.account = account.number),
            (SELECT count(*) FROM underway.answer AS answer
                WHERE answer.account = account.number AND answer.question IS NOT NULL)),
        'answers by device', json_build_array(
            (SELECT coalesce(sum(device.last_answer), 0) FROM underway.device AS device
                WHERE device.account = account.number),
            (SELECT count(*) FROM underway.answer AS answer
                WHERE answer.account = account.number)),
        'records by collection', json_build_array(
            (SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text(account.collections)),
            (SELECT count(*) FROM underway.record AS record
                WHERE record.account = account.number))))
FROM underway.account AS account WHERE account.id = :'user';
"""


def dump(records, answers):
    """Records as they are on the wire, and the names of answered questions, as a device shows them."""
    shown = {name: {} for name in COLLECTIONS}
    for record in records:
        # Devices show what a move of accounts could not merge as conflicts and notices.
        if record["collection"] != "underway-differences":
            shown.setdefault(record["collection"], {})[record["id"]] = value(record)
    return {"records": shown, "answers": answers, "setAside": [], "inbox": []}


def dump_of_export(export):
    return dump(
        export["account"]["records"], [answer["question"] for answer in export["answers"]])


def value(record):
    """The text of a record, its fields, or the sum of a counter."""
    if "counts" in record:
        return sum(
            added - removed for devices in record["counts"].values()
            for added, removed in devices.values())
    fields = {name: text for name, text in record.get("fields", {}).items() if text is not None}
    return fields.get("text", fields)
