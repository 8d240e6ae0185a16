import Foundation
import Underway
import UnderwayTesting

// The names that examples of the documentation use without declaring them, as an app has them.
// script/check-examples compiles this file with the examples; nothing of it runs.

// MARK: Places and times

var now: Date { fatalError() }
var id: String { fatalError() }

var folder: URL { fatalError() }
var support: URL { fatalError() }
var bundleFolder: URL? { fatalError() }
var bundled: URL { fatalError() }
var url: URL { fatalError() }
/// The address of a release.
var address: URL { fatalError() }
/// The address of a server of user data.
var server: URL { fatalError() }

// MARK: Content

var store: OfflineStore { fatalError() }
var bundle: ContentBundle { fatalError() }
var bank: QuestionFilter.Bank { fatalError() }
var manifest: Manifest { fatalError() }
var bytes: [UInt8] { fatalError() }
var blueprint: Blueprint { fatalError() }
var questions: [Question] { fatalError() }
var question: Question { fatalError() }
/// A question as an earlier release had it.
var published: Question { fatalError() }

// MARK: Questions and answers

var session: StudySession {
    get { fatalError() }
    set { _ = newValue }
}
var entered: DecimalNumber { fatalError() }
var answers: [AnswerRecord] { fatalError() }
var table: ResponseMatrix { fatalError() }
var cards: [String: StudyPlan.Card] { fatalError() }
var random: SystemRandomNumberGenerator {
    get { SystemRandomNumberGenerator() }
    set { _ = newValue }
}
var scheduler: ReviewScheduler { fatalError() }

// MARK: User data

var userData: UserStore { fatalError() }
var account: Account { fatalError() }
var secrets: MemorySecretStore { fatalError() }
var userDataSync: UserDataSync { fatalError() }

// MARK: Network

var transport: any Transport { fatalError() }
var network: TestNetwork { fatalError() }
var sync: ContentSync { fatalError() }
var content: ContentSync { fatalError() }

var assets: AssetRepository { fatalError() }

// MARK: The app's own

struct PrivacyPolicy: Codable, Sendable {
    var link: String
}

struct Rules: Codable, Sendable {
    var needsMigration: Bool
}

struct Features: FeatureConfiguration {
    var dailyGoal = 20
    var showsStreak = true
}

struct Goal: CollectionRecord {
    static let collection = CollectionDeclaration("goals", .fieldMerge)
    var minutesADay: Int
}

func show(_ title: String, _ content: String, button: String?) {}
