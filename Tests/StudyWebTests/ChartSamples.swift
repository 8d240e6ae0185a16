import Foundation
import PageRendering

@testable import StudyWeb

/// One chart of each kind, with round numbers.
enum ChartSamples {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    static func day(_ offset: Int) -> Date { start + Double(offset) * 86_400 }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    static func forecast(
        pass: Double? = 0.8, hasPast: Bool = true, days: Int = 21, name: String = ""
    ) -> ForecastChart {
        let shares = [0.58, 0.61, 0.6, 0.66, 0.69, 0.74]
        return ForecastChart(
            past: !hasPast
                ? []
                : shares.enumerated().map { index, share in
                    .init(date: day(7 * index), share: share, low: share, high: share)
                },
            course: (0...8).prefix(days > 0 ? 9 : 1).map { step in
                let share = 0.77 + 0.01125 * Double(step)
                return .init(
                    date: day(42 + days * step / 8), share: share, low: share - 0.05,
                    high: share + 0.05)
            }, pass: pass,
            texts: .init(
                finding: "You would pass with about 86 %" + name, pass: "You pass here" + name,
                today: { "Today, \($0)" + name },
                columns: ("Day", "Expected", "From", "To"), percent: percent,
                day: {
                    $0.formatted(
                        .dateTime.day().month(.abbreviated).locale(.init(identifier: "en_GB")))
                        + name
                }))
    }

    static func columns(
        _ counts: [Int] = [6, 11, 5, 7, 4, 9, 3, 6, 5, 2, 7, 4, 3, 5], name: String = ""
    ) -> ColumnChart {
        let names = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"]
        return ColumnChart(
            columns: counts.enumerated().map { index, count in
                .init(
                    name: "\(names[index % 7]) \(21 + index)" + name,
                    tick: (index == 0 ? "Today" : names[index % 7]) + name, count: count)
            },
            texts: .init(
                finding: "Tomorrow is the busiest day" + name, columns: ("Day", "Cards due"),
                number: { "\($0)" }))
    }

    static func heatMap(weeks: Int = 26, name: String = "") -> HeatMapChart {
        HeatMapChart(
            weeks: (0..<weeks).map { week in
                let months = ["Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]
                return .init(
                    name: "Week \(week + 1)" + name,
                    tick: week % 4 == 0 && week < 24 ? months[week / 4] + name : nil,
                    days: (0..<(week == weeks - 1 ? 6 : 7)).map { day in
                        let step = (week * 7 + day * 5 + week / 3) % 5
                        return .init(name: "Day \(day)" + name, count: step * 4, step: step)
                    })
            },
            texts: .init(
                finding: "146 of the last 181 days" + name, columns: ("Week of", "Answers"),
                weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { $0 + name },
                day: { "\($0): \($1) answers" }, number: { "\($0)" }))
    }

    static func shares(hasInterval: Bool = true, name: String = "") -> ShareRowsChart {
        let rows = [
            ("Verkehrszeichen", 49, 54, 0.8...0.96),
            ("Vorfahrt und Verhalten", 38, 45, 0.71...0.92),
            ("Geschwindigkeitsbeschränkungen und Abstand", 35, 45, 0.63...0.88),
            ("Sicherheit und Technik", 21, 36, 0.42...0.73), ("Umwelt", 0, 0, 0...1),
        ]
        return ShareRowsChart(
            rows: rows.map {
                .init(
                    name: $0.0 + name, right: $0.1, answers: $0.2,
                    interval: hasInterval ? $0.3 : nil)
            },
            texts: .init(
                finding: "Sicherheit und Technik needs most work" + name,
                columns: ("Domain", "Right", "Answers", "Share", "Likely"),
                rightOf: { "\($0) of \($1)" + name },
                range: { "\(percent($0)) to \(percent($1))" }, number: { "\($0)" },
                percent: percent))
    }

    static func levels(
        _ names: [String] = ["A1", "A2", "B1", "B2", "C1"], value: Double = 0.6,
        range: ClosedRange<Double> = -0.4...1.6
    ) -> LevelScaleChart {
        LevelScaleChart(
            levels: names.enumerated().map { .init(name: $1, from: Double($0) - 1.9) },
            value: value, range: range,
            texts: .init(
                finding: "Your level is \(names[min(2, names.count - 1)])", you: "You",
                columns: ("Level", "You"),
                places: (own: "Your level", likely: "Likely", other: "Unlikely")))
    }

    static func all(id: String, isRightToLeft: Bool, name: String = "") -> [Chart] {
        [
            forecast(name: name).chart(id: "\(id)-forecast", isRightToLeft: isRightToLeft),
            columns(name: name).chart(id: "\(id)-columns", isRightToLeft: isRightToLeft),
            heatMap(name: name).chart(id: "\(id)-calendar", isRightToLeft: isRightToLeft),
            shares(name: name).chart(id: "\(id)-shares", isRightToLeft: isRightToLeft),
            levels().chart(id: "\(id)-levels", isRightToLeft: isRightToLeft),
        ]
    }
}
