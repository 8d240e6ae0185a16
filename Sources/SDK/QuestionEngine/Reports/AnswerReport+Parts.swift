extension AnswerReport {
    /// The strength of the answers' evidence about the keys of the bank.
    package struct Bank: Sendable, Hashable, Codable {
        /// The number of judged questions.
        package var judged: Int
        /// The mean fraction of right answers to them.
        package var facility: Double
        /// The mean fraction of right answers by guessing.
        package var chance: Double
        /// The number of keys to act on.
        package var act: Int
        /// The number of other keys that are more likely wrong than right.
        package var review: Int
        /// The number of keys of which the answers tell nothing.
        package var notEnoughSignal: Int
        /// The number of keys that are fine.
        package var fine: Int
        /// True when so many keys lack signal that the report states it first.
        package var isWeak: Bool

        private enum CodingKeys: String, CodingKey {
            case judged, facility, chance, act, review, notEnoughSignal, fine
            case isWeak = "weak"
        }

        init(_ review: KeyReview) {
            judged = review.signal.judgedCount
            facility = review.signal.rightShare
            chance = review.signal.chance
            act = review.count(.act)
            self.review = review.count(.review)
            notEnoughSignal = review.count(.notEnoughSignal)
            fine = review.count(.fine)
            isWeak = review.isWeak
        }
    }

    /// A question with its statistics.
    package struct Item: Sendable, Hashable, Codable {
        /// The question's id.
        package var question: String
        /// The number of people who answered it.
        package var respondentCount: Int
        /// The fraction of right answers.
        package var facility: Double
        /// The correlation with the score on all other questions.
        package var restCorrelation: Double
        /// The fraction right in the upper 27 % minus that in the lower 27 %.
        package var discrimination: Double
        /// The rest correlation relative to the best that the facility allows.
        package var efficiency: Double
        /// The probability that the key is wrong; `nil` with too few answers.
        package var wrongKeyProbability: Double?
        /// The logarithm of the odds that the key is wrong.
        package var wrongKeyScore: Double?
        /// The conclusion about the key; `nil` with too few answers.
        package var outcome: KeyOutcome?
        /// The number of answers of such learners that would clear a right key; `nil` when more would not.
        package var answersToClear: Int?
        /// The number of answers of such learners that would convict a wrong key; `nil` when more would not.
        package var answersToFlag: Int?
        /// The option that is probably right; `nil` unless the question should be reviewed.
        package var proposedKey: String?
        /// True when the key is probably wrong.
        var isSuspicious: Bool { proposedKey != nil }
        /// The proposed right option, or the number of answers that would decide about the key; `nil` for neither.
        var hint: String? { proposedKey ?? whatMoreTells }

        /// The slope of the two-parameter model.
        package var slope: Double?
        /// The standard error of the slope.
        package var slopeError: Double?
        /// The difficulty of the two-parameter model.
        package var difficulty: Double?
        /// The responses, in the order of the question.
        package var options: [Option]

        private enum CodingKeys: String, CodingKey {
            case question
            case respondentCount = "n"
            case facility, restCorrelation, discrimination, efficiency, wrongKeyProbability
            case wrongKeyScore, outcome, answersToClear, answersToFlag, proposedKey, slope,
                slopeError, difficulty, options
        }

        init(
            _ statistics: ItemStatistics, _ finding: WrongKeyFinding?,
            _ calibration: MarginalCalibration.Item?
        ) {
            question = statistics.id
            respondentCount = statistics.respondentCount
            facility = statistics.facility
            restCorrelation = statistics.restCorrelation
            discrimination = statistics.upperLowerDiscrimination
            efficiency = statistics.discriminativeEfficiency
            wrongKeyProbability = finding?.probability
            wrongKeyScore = finding?.score
            outcome = finding?.outcome
            answersToClear = finding?.answersToClear
            answersToFlag = finding?.answersToFlag
            proposedKey = finding?.proposedLabel
            slope = calibration?.parameters.slope
            slopeError = calibration?.slopeError
            difficulty = calibration?.parameters.difficulty
            options = statistics.responses.map(Option.init)
        }
    }

    /// A response of a question.
    package struct Option: Sendable, Hashable, Codable {
        /// The option's id, or those of several separated by spaces.
        package var option: String
        /// True for the published key.
        package var isKey: Bool
        /// The fraction of people who gave it.
        package var share: Double
        /// The correlation of the response with the score on all other questions.
        package var restCorrelation: Double
        /// The number of the upper 27 % who gave it.
        package var upperCount: Int
        /// The number of the lower 27 % who gave it.
        package var lowerCount: Int

        private enum CodingKeys: String, CodingKey {
            case option
            case isKey = "key"
            case share, restCorrelation
            case upperCount = "upper"
            case lowerCount = "lower"
        }

        init(_ statistics: ResponseStatistics) {
            option = statistics.label
            isKey = statistics.isKey
            share = statistics.share
            restCorrelation = statistics.restCorrelation
            upperCount = statistics.upperCount
            lowerCount = statistics.lowerCount
        }
    }

    /// The option curves of a question.
    package struct Curves: Sendable, Hashable, Codable {
        /// A group of people of similar ability.
        package struct Group: Sendable, Hashable, Codable {
            /// Their mean ability.
            package var ability: Double
            /// The number of people.
            package var people: Int
            /// The fraction of each response.
            package var shares: [Double]
        }

        /// The question's id.
        package var question: String
        /// The published key.
        package var key: String
        /// The responses.
        package var options: [String]
        /// The groups, the least able first.
        package var groups: [Group]

        init(_ curves: OptionCurves) {
            question = curves.id
            key = curves.labels[curves.key]
            options = curves.labels
            groups = curves.groups.map {
                Group(ability: $0.ability, people: $0.count, shares: $0.shares)
            }
        }
    }

    /// A question with several right options or an order whose key should be reviewed.
    package struct Review: Sendable, Hashable, Codable {
        /// The question's id.
        package var question: String
        /// The lead of the best other answer over the key, in standard errors of a correlation.
        package var suspicion: Double
        /// The answer with the highest correlation with ability.
        package var proposed: String
        /// The fraction of people who gave it.
        package var proposedShare: Double
        /// The fraction of people who gave the key.
        package var keyShare: Double

        init(_ entry: KeyReviewQueue.Entry) {
            question = entry.id
            suspicion = entry.suspicion
            proposed = entry.proposedAnswer
            proposedShare = entry.proposedShare
            keyShare = entry.keyShare
        }
    }
}
