import QuestionEngine

/// The report of `analyse` as one page that needs nothing else: no script, no network.
struct AnswerReportPage {
    private let report: AnswerReport
    private let title: String

    init(_ report: AnswerReport, title: String) {
        self.report = report
        self.title = title
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(title)): what answers say</title><style>\(Self.style)</style></head>
        <body><main>
        <h1>\(Self.escaped(title))</h1><p>\(Self.escaped(report.summary))</p>
        \(suspects)\(queue)\(table)
        <p class="note">A probability speaks of the published key, not of the author. Two defensible
        answers look like a wrong key; repeated answers are left out because they tell nothing.</p>
        </main></body></html>

        """
    }

    // MARK: Suspicious keys

    private var suspects: String {
        guard !report.suspicious.isEmpty else {
            return "<h2>Keys to review</h2><p>None: every key goes with ability.</p>"
        }
        let cards = report.suspicious.prefix(AnswerReport.curvesMax).map(card).joined()
        return "<h2>Keys to review</h2><div class=\"cards\">\(cards)</div>"
    }

    private func card(_ item: AnswerReport.Item) -> String {
        guard let finding = item.finding,
            let curves = report.curves.first(where: { $0.id == finding.id })
        else { return "" }
        let percent = Int((100 * finding.probability).rounded())
        let key = name(curves.labels[curves.key], of: finding.id)
        let proposed = finding.proposedLabel.map { name($0, of: finding.id) } ?? ""
        return """
            <section class="card"><h3>\(Self.escaped(finding.id))
            <span class="badge">\(percent) %</span></h3>
            \(item.stem.map { "<p class=\"stem\">\(Self.escaped($0))</p>" } ?? "")
            <p>Published: <b class="key">\(Self.escaped(key))</b><br>
            Proposed: <b class="proposed">\(Self.escaped(proposed))</b></p>
            \(OptionCurvePicture(curves, proposed: finding.proposedKey).svg)
            <p class="note">\(finding.respondentCount) first answers</p></section>
            """
    }

    private func name(_ label: String, of question: String) -> String {
        let parts = label.split(separator: " ").map(String.init)
        return parts.map { id in
            let text = report.texts[question]?[id] ?? ""
            return text.isEmpty || text == id ? id : "\(id): \(text)"
        }.joined(separator: ", ")
    }

    private var queue: String {
        guard !report.queue.isEmpty else { return "" }
        let rows = report.queue.map { entry in
            "<tr><th scope=\"row\">\(Self.escaped(entry.id))</th><td>\(entry.respondentCount)</td>"
                + "<td>\(percent(entry.keyShare))</td>"
                + "<td class=\"text\">\(Self.escaped(name(entry.proposedAnswer, of: entry.id)))</td>"
                + "<td>\(percent(entry.proposedShare))</td></tr>"
        }.joined()
        return
            "<h2>Several answers and orders to look at</h2><div class=\"wide\"><table><thead><tr>"
            + "<th>question</th><th>n</th><th>key</th><th class=\"text\">what able people answer</th>"
            + "<th>share</th></tr></thead><tbody>\(rows)</tbody></table></div>"
    }

    // MARK: All questions

    private var table: String {
        let rows = report.items.map { item in
            let found = item.finding
            let mark = found?.proposedKey == nil ? "" : " class=\"suspect\""
            return "<tr\(mark)><th scope=\"row\">\(Self.escaped(item.statistics.id))</th>"
                + "<td>\(item.statistics.respondentCount)</td>"
                + "<td>\(percent(item.statistics.facility))</td>"
                + "<td>\(Console.decimal(item.statistics.restCorrelation))</td>"
                + "<td>\(Console.decimal(item.statistics.discriminativeEfficiency))</td>"
                + "<td>\(item.calibration.map { Console.decimal($0.parameters.difficulty) } ?? "–")</td>"
                + "<td>\(item.calibration.map { Console.decimal($0.parameters.slope) } ?? "–")</td>"
                + "<td>\(found.map { percent($0.probability) } ?? "–")</td></tr>"
        }.joined()
        return "<h2>All questions</h2><div class=\"wide\"><table><thead><tr><th>question</th>"
            + "<th>n</th><th>right</th><th>r (rest)</th><th>efficiency</th><th>difficulty</th>"
            + "<th>slope</th><th>wrong key</th></tr></thead><tbody>\(rows)</tbody></table></div>"
    }

    private func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }

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

/// Option curves as inline SVG: shares from the weakest to the most able tenth.
struct OptionCurvePicture {
    private static let width = 320.0
    private static let height = 180.0
    private static let left = 34.0
    private static let bottom = 24.0
    private static let top = 8.0

    private let curves: OptionCurves
    private let proposed: Int?

    init(_ curves: OptionCurves, proposed: Int?) {
        self.curves = curves
        self.proposed = proposed
    }

    var svg: String {
        let order = curves.labels.indices.sorted { rank($0) < rank($1) }
        let label = AnswerReportPage.escaped(
            "Shares of each answer from weak to able people; the key is \(curves.labels[curves.key])"
        )
        return "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" "
            + "aria-label=\"\(label)\">\(axes)\(order.map(line).joined())</svg>"
    }

    /// The key and the proposal are drawn last, above the others.
    private func rank(_ option: Int) -> Int {
        option == curves.key ? 1 : option == proposed ? 2 : 0
    }

    private var axes: String {
        let marks = [0.0, 0.5, 1.0].map { share in
            let y = y(share)
            return "<line x1=\"\(Self.left)\" x2=\"\(Self.width - 24)\" y1=\"\(y)\" y2=\"\(y)\" "
                + "stroke=\"currentColor\" opacity=\".2\"/><text x=\"\(Self.left - 4)\" "
                + "y=\"\(y + 4)\" font-size=\"11\" text-anchor=\"end\" fill=\"currentColor\">"
                + "\(Int(share * 100))</text>"
        }
        return marks.joined() + text(Self.left, "weak", "start")
            + text(Self.width - 24, "able", "end")
    }

    private func text(_ x: Double, _ word: String, _ anchor: String) -> String {
        "<text x=\"\(x)\" y=\"\(Self.height - 6)\" font-size=\"11\" text-anchor=\"\(anchor)\" "
            + "fill=\"currentColor\">\(word)</text>"
    }

    private func line(_ option: Int) -> String {
        let colour = option == curves.key ? "--key" : option == proposed ? "--new" : "--other"
        let dash = option == curves.key ? " stroke-dasharray=\"6 4\"" : ""
        let weight = rank(option) == 0 ? "1.25" : "2.5"
        let points = curves.groups.enumerated().map { index, group in
            "\(x(index)),\(y(group.shares[option]))"
        }
        let end = curves.groups.last.map { group in
            "<text x=\"\(Self.width - 20)\" y=\"\(y(group.shares[option]) + 4)\" font-size=\"11\" "
                + "fill=\"var(\(colour))\">\(AnswerReportPage.escaped(String(curves.labels[option].prefix(4))))</text>"
        }
        return "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
            + "stroke=\"var(\(colour))\" stroke-width=\"\(weight)\"\(dash)/>\(end ?? "")"
    }

    private func x(_ index: Int) -> Double {
        let span = Self.width - 24 - Self.left
        let steps = Double(max(1, curves.groups.count - 1))
        return ((Self.left + span * Double(index) / steps) * 10).rounded() / 10
    }

    private func y(_ share: Double) -> Double {
        let span = Self.height - Self.bottom - Self.top
        return ((Self.top + span * (1 - share)) * 10).rounded() / 10
    }
}
