import Foundation
import QuestionEngine

/// The vectors of `fsrs6.json`.
struct FSRSVectors: Decodable {
    struct Defaults: Decodable {
        var parameters: [Double]
        var lowerBounds: [Double]
        var upperBounds: [Double]
    }
    struct Tolerance: Decodable {
        var stabilityRel: Double
        var difficultyAbs: Double
        var retrievabilityAbs: Double
    }
    struct Memory: Decodable {
        var stability: Double
        var difficulty: Double
    }
    struct Constants: Decodable {
        var decay: Double
        var factor: Double
    }
    struct Retrievability: Decodable {
        var elapsedDays: Int
        var stability: Double
        var r: Double
    }
    struct Interval: Decodable {
        var stability: Double
        var desiredRetention: Double
        var days: Int
        var unrounded: Double
    }
    struct Difficulty: Decodable {
        var difficulty: Double
        var rating: Rating
        var next: Double
    }
    struct ShortTerm: Decodable {
        var stability: Double
        var rating: Rating
        var next: Double
    }
    struct Long: Decodable {
        var difficulty: Double
        var stability: Double
        var retrievability: Double
        var rating: Rating?
        var next: Double
    }
    struct PureFunctions: Decodable {
        var initial: [String: Memory]
        var constants: Constants
        var retrievability: [Retrievability]
        var nextInterval: [Interval]
        var nextDifficulty: [Difficulty]
        var shortTermStability: [ShortTerm]
        var recallStability: [Long]
        var forgetStability: [Long]
    }
    struct Scheduler: Decodable {
        var parameters: [Double]
        var desiredRetention: Double
        var learningSteps: [TimeInterval]
        var relearningSteps: [TimeInterval]
        var maximumInterval: Int
    }
    struct Step: Decodable {
        var rating: Rating
        var atSeconds: Double
        var elapsedWholeDays: Int?
        var retrievabilityBefore: Double?
        var stability: Double
        var difficulty: Double
        var state: String
        var step: Int?
        var intervalSeconds: Double
        var intervalDays: Int
    }
    struct Trace: Decodable {
        var scheduler: Scheduler
        var reviews: [Step]
    }
    struct Rescheduled: Decodable {
        var parameters: [Double]
        var desiredRetention: Double
        var stability: Double
        var difficulty: Double
        var state: String
        var dueMinusLastReviewDays: Int
    }

    var defaults: Defaults
    var tolerance: Tolerance
    var pureFunctions: PureFunctions
    var traces: [String: Trace]
    var reschedule: [String: Rescheduled]

    static func load() throws -> FSRSVectors { try VectorFile.decode(Self.self, "fsrs6.json") }
}
