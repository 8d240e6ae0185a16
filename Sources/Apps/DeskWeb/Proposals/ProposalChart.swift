import ContentModel
import PageRendering
import Review

/// The share of learners who choose each option, from the weakest group to the strongest.
struct ProposalChart {
    /// A drawing under its finding, as the shared part shows it.
    struct View {
        var finding: String
        var hint: String
        var svg: String
        var table: String
    }

    /// A line of the chart.
    private struct Line {
        var name: String
        var shares: [Double]
        var place: Proposal.Role
    }

    private static let top = 12.0
    private static let plot = 196.0

    private let lines: [Line]
    private let counts: [Int]
    private let finding: String

    init(_ proposal: Proposal, _ question: Question?) {
        let evidence = proposal.evidence
        counts = evidence.groups.map(\.count)
        lines = evidence.labels.enumerated().compactMap { index, label in
            let shares = evidence.groups.compactMap {
                $0.shares.indices.contains(index) ? $0.shares[index] : nil
            }
            guard shares.count == evidence.groups.count else { return nil }
            let name = label.isEmpty ? "no answer" : question?.shown(label) ?? label
            return Line(name: name, shares: shares, place: proposal.role(of: label))
        }
        finding = Self.finding(lines)
    }

    /// Says what the lines show, and no more.
    private static func finding(_ lines: [Line]) -> String {
        if let proposed = lines.first(where: { $0.place == .proposed }),
            let first = proposed.shares.first, let last = proposed.shares.last
        {
            let name = proposed.name
            if last > first + 0.1 { return "The better people are, the more choose \(name)" }
            return "\(ProposalView.percent(last)) of the strongest learners choose \(name)"
        }
        guard let key = lines.first(where: { $0.place == .key }), let last = key.shares.last else {
            return "What learners choose"
        }
        return "\(ProposalView.percent(last)) of the strongest learners choose the key"
    }

    /// The chart; `nil` with fewer than three groups, which show no course.
    var view: View? {
        guard counts.count > 2, !lines.isEmpty else { return nil }
        let table = ChartTable(
            columns: ["Group"] + lines.map { $0.name + ($0.place == .key ? ", the key" : "") },
            rows: counts.indices.map { group in
                ["\(Self.name(of: group, counts.count)), \(counts[group])"]
                    + lines.map { ProposalView.percent($0.shares[group]) }
            })
        return View(
            finding: finding, hint: "Share choosing each option, by result on the other questions",
            svg: drawing.svg(
                id: "curves", finding: finding, height: Self.top + Self.plot + 28,
                class: "chart-curves"),
            table: table.html(caption: finding))
    }

    private static func name(of group: Int, _ count: Int) -> String {
        switch group {
        case 0: "weakest"
        case count - 1: "strongest"
        default: "group \(group + 1)"
        }
    }

    private func y(_ share: Double) -> Double { Self.top + Self.plot * (1 - min(max(share, 0), 1)) }

    private func x(_ group: Int) -> Double { Double(group) / Double(max(1, counts.count - 1)) }

    private var drawing: ChartDrawing {
        var drawing = ChartDrawing(isRightToLeft: false)
        for share in [0, 0.5, 1] {
            drawing.rule(y: y(share), class: "chart-grid")
            drawing.text(
                ProposalView.percent(share), at: 0, y: y(share) + 4, shift: -8, anchor: .end,
                class: "chart-label")
        }
        drawing.paths(
            y: Self.top, height: Self.plot,
            lines.enumerated().map { index, line in
                ChartPath(
                    name: "curve \(Self.style(line.place, index))",
                    points: line.shares.enumerated().map {
                        (x($0.offset), 1 - min(max($0.element, 0), 1))
                    })
            })
        for line in lines where line.place != .other {
            for (group, share) in line.shares.enumerated() {
                mark(line.place, x(group), y(share), in: &drawing)
            }
        }
        for (line, height) in labels() {
            drawing.text(
                Self.short(line.name) + (line.place == .key ? ", the key" : ""), at: 1,
                y: height + 4,
                shift: 10, class: Self.labelStyle(line.place))
        }
        let foot = Self.top + Self.plot + 20
        drawing.text("weakest", at: 0, y: foot, class: "chart-label")
        drawing.text("strongest", at: 1, y: foot, anchor: .end, class: "chart-label")
        return drawing
    }

    /// Adds a round mark for the proposed key, and a square one for the key.
    private func mark(
        _ place: Proposal.Role, _ x: Double, _ y: Double, in drawing: inout ChartDrawing
    ) {
        if place == .proposed {
            drawing.circle(at: x, y: y, radius: 4.5, class: "curve-mark-proposed")
        } else {
            drawing.rectangle(
                from: max(0, x - 0.008), to: min(1, x + 0.008), y: y - 4, height: 8,
                class: "curve-mark-key")
        }
    }

    /// Returns the lines that are named at their end, with heights at least 16 pixels apart.
    private func labels() -> [(Line, Double)] {
        let named = lines.filter { $0.place != .other }.sorted { end($0) < end($1) }
        var last = -Double.infinity
        return named.map { line in
            let height = max(end(line), last + 16)
            last = height
            return (line, height)
        }
    }

    private func end(_ line: Line) -> Double { y(line.shares.last ?? 0) }

    private static func short(_ text: String) -> String {
        text.count > 14 ? text.prefix(13) + "…" : text
    }

    private static func style(_ place: Proposal.Role, _ index: Int) -> String {
        switch place {
        case .key: "curve-key"
        case .proposed: "curve-proposed"
        case .other: "curve-other curve-other-\(index % 3)"
        }
    }

    private static func labelStyle(_ place: Proposal.Role) -> String {
        place == .key ? "curve-label-key" : "curve-label-proposed"
    }
}
