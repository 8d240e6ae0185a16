import PageRendering
import StudyModel
import Underway

/// The drawing of a placement's level with the range in which it likely lies.
struct LevelScaleView {
    var svg: String
    var table: String

    /// Draws an outcome; `nil` without a level.
    init?(_ outcome: PlacementOutcome, _ formats: StudyFormats) {
        guard let chart = Self.chart(outcome, formats) else { return nil }
        svg = chart.svg
        table = chart.table.html(caption: chart.finding)
    }

    static func chart(_ outcome: PlacementOutcome, _ formats: StudyFormats) -> Chart? {
        let words = formats.words
        guard let level = outcome.level, let low = outcome.likelyLevels.first,
            let high = outcome.likelyLevels.last, let first = outcome.scale.first?.level,
            let last = outcome.scale.last?.level
        else { return nil }
        let finding = words.text(
            "result.scale",
            ["level": level, "low": low, "high": high, "first": first, "last": last])
        // The lowest level has no lower end; the chart does not ask for it.
        let levels = outcome.scale.map {
            LevelScaleChart.Level(name: $0.level, from: $0.from ?? -.infinity)
        }
        let texts = LevelScaleChart.Texts(
            finding: finding, you: words["result.you"],
            columns: (words["result.levelColumn"], words["progress.likelyColumn"]),
            places: (words["result.you"], words["result.inRange"], words["progress.noValue"]))
        return LevelScaleChart(
            levels: levels, value: outcome.estimate.ability, range: outcome.estimate.interval,
            texts: texts
        ).chart(id: "levels", isRightToLeft: words.isRightToLeft)
    }
}
