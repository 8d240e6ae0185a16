package import ContentModel

/// A report on answers as one self-contained page: no script, no network.
package struct AnswerReportPage {
    private let report: AnswerReport
    private let title: String
    /// The texts of the questions by their ids.
    private let stems: [String: String]
    /// The texts of the options of each question by their ids.
    private let texts: [String: [String: String]]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - title: The title of the page.
    ///   - questions: The questions, for their texts; empty to name them by their ids.
    package init(_ report: AnswerReport, title: String, questions: [Question] = []) {
        self.report = report
        self.title = title
        stems = Dictionary(
            questions.map { ($0.id, $0.stem) }, uniquingKeysWith: { first, _ in first })
        texts = Dictionary(
            questions.map { question in
                let options = question.options.map { ($0.id, $0.text) }
                return (question.id, Dictionary(options, uniquingKeysWith: { $1 }))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The page as HTML.
    package var html: String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(title)): what answers say</title><style>\(Self.style)</style></head>
        <body><main>
        <h1>\(Self.escaped(title))</h1>\(weakness)<p>\(Self.escaped(report.summary))</p>
        \(suspects)\(queue)\(table)
        <p class="note">A probability speaks of the published key, not of the author. Two defensible
        answers look like a wrong key; repeated answers are left out because they tell nothing.</p>
        </main></body></html>

        """
    }

    private var weakness: String {
        report.weakness.map { "<p class=\"weak\"><strong>\(Self.escaped($0))</strong></p>" } ?? ""
    }

    // MARK: Suspicious keys

    private var suspects: String {
        guard !report.suspicious.isEmpty else {
            let isSure = report.bank.notEnoughSignal == 0 && report.bank.judged > 0
            return "<h2>Keys to review</h2><p>"
                + (isSure
                    ? "None: every key goes with ability."
                    : "None that these answers show; see below what they do not tell.") + "</p>"
        }
        let cards = report.suspicious.prefix(AnswerReport.curvesMax).map(card).joined()
        return "<h2>Keys to review</h2><div class=\"cards\">\(cards)</div>"
    }

    private func card(_ item: AnswerReport.Item) -> String {
        let id = item.question
        guard let probability = item.wrongKeyProbability,
            let curves = report.curves.first(where: { $0.question == id })
        else { return "" }
        let key = name(curves.key, of: id)
        let proposed = item.proposedKey.map { name($0, of: id) } ?? ""
        return """
            <section class="card"><h3>\(Self.escaped(id))
            <span class="badge">\(percent(probability))</span></h3>
            \(stems[id].map { "<p class=\"stem\">\(Self.escaped($0))</p>" } ?? "")
            <p>Published: <b class="key">\(Self.escaped(key))</b><br>
            Proposed: <b class="proposed">\(Self.escaped(proposed))</b></p>
            \(OptionCurvePicture(curves, proposed: item.proposedKey).svg)
            <p class="note">\(item.respondentCount) first answers</p></section>
            """
    }

    private func name(_ label: String, of question: String) -> String {
        let parts = label.split(separator: " ").map(String.init)
        return parts.map { id in
            let text = texts[question]?[id] ?? ""
            return text.isEmpty || text == id ? id : "\(id): \(text)"
        }.joined(separator: ", ")
    }

    private var queue: String {
        guard !report.queue.isEmpty else { return "" }
        let counts = Dictionary(
            report.items.map { ($0.question, $0.respondentCount) }, uniquingKeysWith: { $1 })
        let rows = report.queue.map { entry in
            "<tr><th scope=\"row\">\(Self.escaped(entry.question))</th>"
                + "<td>\(counts[entry.question] ?? 0)</td>"
                + "<td>\(percent(entry.keyShare))</td>"
                + "<td class=\"text\">\(Self.escaped(name(entry.proposed, of: entry.question)))</td>"
                + "<td>\(percent(entry.proposedShare))</td></tr>"
        }.joined()
        return
            "<h2>Several answers, orders and numbers to look at</h2><div class=\"wide\"><table><thead><tr>"
            + "<th>question</th><th>n</th><th>key</th><th class=\"text\">what able people answer</th>"
            + "<th>share</th></tr></thead><tbody>\(rows)</tbody></table></div>"
    }

    // MARK: All questions

    private var table: String {
        let rows = report.items.map { item in
            let mark = item.proposedKey == nil ? "" : " class=\"suspect\""
            return "<tr\(mark)><th scope=\"row\">\(Self.escaped(item.question))</th>"
                + "<td>\(item.respondentCount)</td>"
                + "<td>\(percent(item.facility))</td>"
                + "<td>\(AnswerReport.decimal(item.restCorrelation))</td>"
                + "<td>\(AnswerReport.decimal(item.efficiency))</td>"
                + "<td>\(item.difficulty.map(AnswerReport.decimal) ?? "–")</td>"
                + "<td>\(item.slope.map(AnswerReport.decimal) ?? "–")</td>"
                + "<td class=\"text\">\(Self.escaped(verdict(item)))</td></tr>"
        }.joined()
        return "<h2>All questions</h2><div class=\"wide\"><table><thead><tr><th>question</th>"
            + "<th>n</th><th>right</th><th>r (rest)</th><th>efficiency</th><th>difficulty</th>"
            + "<th>slope</th><th class=\"text\">key</th></tr></thead><tbody>\(rows)</tbody></table></div>"
    }

    private func verdict(_ item: AnswerReport.Item) -> String {
        item.verdict + (item.whatMoreTells.map { ": " + $0 } ?? "")
    }

    private func percent(_ share: Double) -> String { AnswerReport.percent(share) }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static let style = """
        :root{color-scheme:light dark;--line:#8884;--key:#c2410c;--new:#15803d;--other:#888}
        @media(prefers-color-scheme:dark){:root{--key:#fb923c;--new:#4ade80;--other:#999}}
        body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:72rem;margin:auto;padding:1rem}
        .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(19rem,1fr));gap:1rem}
        .card{border:1px solid var(--line);border-radius:.6rem;padding:.8rem}.card h3{margin:0}
        .badge{float:right;border:1px solid var(--key);color:var(--key);border-radius:1rem;
        padding:0 .6rem;font-size:.85rem}.stem{font-style:italic}.key{color:var(--key)}
        .proposed{color:var(--new)}.note{opacity:.75;font-size:.875rem}svg{width:100%;height:auto}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
        th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;
        font-variant-numeric:tabular-nums}th:first-child,.text{text-align:left}
        tr.suspect th,tr.suspect td:last-child{color:var(--key);font-weight:600}
        """
}
