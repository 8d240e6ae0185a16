import ContentModel
import Publishing
import ServiceAPI

extension DevelopmentOutcome {
    /// Prints one line of JSON, or text for people.
    func say() {
        guard Console.isJSON else { return Console.say(text) }
        // Numbers and text can always be encoded.
        guard let line = try? JSONValue(encoding: DevelopmentSummary(self)) else { return }
        Console.say(jsonLine: line)
    }

    /// The problems as compilers write them, then one line.
    var text: String {
        let milliseconds = Int(duration / .milliseconds(1))
        let found = problems.isEmpty ? "" : ProblemReport.text(problems)
        switch event {
        case .release(let number) where changed.isEmpty:
            return found + "release \(number) is current, nothing changed (\(milliseconds) ms)"
        case .release(let number):
            let listed = changed.prefix(3).joined(separator: ", ")
            let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
            return found
                + Console.styled("release \(number)", .green)
                + ": \(listed)\(more) (\(milliseconds) ms)"
        case .problems(let problems):
            return found
                + Console.styled(Console.count(problems.count, "error"), .red)
                + "; the last good release stays"
        case .failure(let reason):
            return found + Console.styled("not published", .red) + ": \(reason)"
        }
    }
}
