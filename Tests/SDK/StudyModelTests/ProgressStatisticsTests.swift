import Foundation
import StudyModel
import TestSupport
import Testing

@Suite struct ProgressStatisticsTests {
    /// Newcombe, R. G. (1998), "Two-sided confidence intervals for the single proportion", Statistics in
    /// Medicine 17, table I, method 3.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ])
    func wilsonIntervalEqualsThePublishedOne(right: Int, of count: Int, low: Double, high: Double) {
        let interval = WilsonInterval(right, of: count)

        #expect(abs(interval.low - low) < 0.000_05)
        #expect(abs(interval.high - high) < 0.000_05)
    }

    @Test func wilsonIntervalStaysWithinZeroAndOne() {
        #expect(WilsonInterval(0, of: 0) == WilsonInterval(5, of: 0))
        for count in 1...60 {
            for right in 0...count {
                let interval = WilsonInterval(right, of: count)
                let share = Double(right) / Double(count)
                #expect(interval.low >= 0 && interval.high <= 1)
                #expect(interval.low <= share && share <= interval.high)
            }
        }
    }

    @Test(arguments: [(180, nil), (180, 45), (40, 10), (25, nil)] as [(Int, Int?)])
    func bandHoldsEightOfTenSimulatedExams(questions: Int, asked: Int?) {
        let seed: UInt64 = 20_261_123
        print("seed \(seed), \(questions) questions, asked \(asked.map(String.init) ?? "all")")
        var random = SeededGenerator(seed: seed)
        let chances = (0..<questions).map { _ in
            Double.random(in: 0..<1, using: &random).squareRoot()
        }
        let forecast = ShareForecast(chances: chances, asked: asked)

        let exams = (0..<6000).map { _ in
            let drawn = asked.map { chances.shuffled(using: &random).prefix($0) } ?? chances[...]
            let right = drawn.count { Double.random(in: 0..<1, using: &random) < $0 }
            return Double(right) / Double(drawn.count)
        }
        let mean = exams.reduce(0, +) / Double(exams.count)
        let variance =
            exams.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(exams.count)
        let within = exams.count { $0 >= forecast.low && $0 <= forecast.high }

        #expect(abs(forecast.expected - mean) < 0.004, "seed \(seed)")
        #expect(
            abs(forecast.standardDeviation / variance.squareRoot() - 1) < 0.03, "seed \(seed)")
        // The share of an exam has steps of one question, so that the band holds somewhat more or less.
        let step = 1 / Double(asked ?? questions)
        let tolerance = 0.01 + 0.4 * step / forecast.standardDeviation
        #expect(
            abs(Double(within) / Double(exams.count) - ShareForecast.coverage) < tolerance,
            "seed \(seed)")
    }

    @Test func bandStaysWithinZeroAndOne() {
        let sure = ShareForecast(chances: [1, 1, 1])
        let nearly = ShareForecast(chances: [0.99, 0.98])
        let none = ShareForecast(chances: [])

        #expect([sure.low, sure.expected, sure.high] == [1, 1, 1])
        #expect(nearly.high == 1 && nearly.low < nearly.expected)
        #expect([none.low, none.expected, none.high] == [0, 0, 0])
    }
}
