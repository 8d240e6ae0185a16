import Tables
import Testing

// GRDB has a type of that name, too.
private typealias Statement = Tables.Statement

/// What the tokens of a statement become.
@Suite struct StatementTests {
    private func texts(_ text: String) -> [String?] {
        let statement = Statement(text)
        return [statement.sqlite?.sql, statement.postgres?.sql]
    }

    @Test func eachTokenIsSpelledForItsDatabase() {
        #expect(
            texts("SELECT rank FROM {event_score} s WHERE s.account = {me} AND s.event = :event")
                == [
                    "SELECT rank FROM event_score s WHERE s.account = ?1 AND s.event = ?2",
                    "SELECT rank FROM underway.event_score s WHERE s.account = underway.claim()"
                        + " AND s.event = $1",
                ])
        #expect(
            texts("SELECT name FROM {event} WHERE number {in :list} {for update}") == [
                "SELECT name FROM event WHERE number IN (SELECT value FROM json_each(?1)) ",
                "SELECT name FROM underway.event WHERE number = ANY ($1) FOR UPDATE",
            ])
    }

    @Test func aNameThatComesAgainIsOneParameter() {
        #expect(
            texts("SELECT :b, :a, {me}, :b, {me}, :a") == [
                "SELECT ?1, ?2, ?3, ?1, ?3, ?2",
                "SELECT $1, $2, underway.claim(), $1, underway.claim(), $2",
            ])
    }

    @Test func textsInQuotesAndCastsStayAsTheyAre() {
        let text = "SELECT ':a {event} ::', '', 1::integer, x::text"
        #expect(texts(text) == [text, text])
        #expect(texts("SELECT ':a' || :a")[1] == "SELECT ':a' || $1")
    }

    @Test func aTextOfOneDatabaseIsNothingInTheOther() {
        let statement = Statement(postgres: "SELECT number FROM {event}")
        #expect(statement.sqlite == nil && statement.postgres != nil)
    }

    @Test func aTableThatIsNotDeclaredEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Statement("SELECT 1 FROM {evnt}") }
        // Only PostgreSQL has marks of instances.
        await #expect(processExitsWith: .failure) { _ = Statement("SELECT 1 FROM {instance_mark}") }
        await #expect(processExitsWith: .success) {
            _ = Statement(postgres: "SELECT 1 FROM {instance_mark}")
        }
    }

    @Test func aNameThatIsMissingOrSuperfluousEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Statement("SELECT :a, :b")(["a": 1]) }
        await #expect(processExitsWith: .failure) { _ = Statement("SELECT :a")(["a": 1, "b": 2]) }
        // A value that one of the databases needs is none too many.
        await #expect(processExitsWith: .success) {
            _ = Statement(sqlite: "SELECT :a, :b", postgres: "SELECT :b")(["a": 1, "b": 2])
        }
    }
}
