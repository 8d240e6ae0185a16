import Foundation
import Testing

@testable import QuestionEngine

@Suite struct LearningSettingsTests {
    private func fields(_ json: String) throws -> LearningFields {
        try JSONDecoder().decode(LearningFields.self, from: Data(json.utf8))
    }

    private let defaults = """
        {"rolloverHour": 4, "newPerDay": 20, "reviewsPerDay": 200, "examPerDay": 50,
         "retention": 0.9, "repeatsToday": true, "newDespiteBacklog": false, "lapseLimit": 8,
         "spreads": true, "easyDays": [100, 100, 100, 100, 100, 100, 100], "optimises": true}
        """

    @Test func theDefaultsAreThoseOfTheContract() throws {
        let fields = try fields(defaults)
        #expect(LearningSettings(all: fields) == .standard)
        #expect(LearningSettings(all: nil) == .standard && fields.outOfRange.isEmpty)
        #expect(try self.fields("{}") == LearningFields())
    }

    @Test func aBankReplacesFieldsExceptTheRolloverHour() throws {
        let all = try fields(
            #"{"rolloverHour": 2, "newPerDay": 7, "retention": 0.8, "repeatsToday": false}"#)
        let bank = try fields(#"{"rolloverHour": 9, "newPerDay": 3, "spreads": false}"#)
        let settings = LearningSettings(all: all, bank: bank)
        #expect(settings.rolloverHour == 2 && settings.newPerDay == 3)
        #expect(settings.retention == 0.8 && !settings.repeatsToday && !settings.spreads)
        #expect(settings.scheduling.retention == 0.8 && !settings.scheduling.hasFuzz)
    }

    @Test(arguments: [
        (LearningFields.Field.rolloverHour, ["0", "23"], ["-1", "24", "true", "1.5"]),
        (.newPerDay, ["0", "999"], ["-1", "1000", "\"20\""]),
        (.reviewsPerDay, ["0", "9999"], ["-1", "10000"]),
        (.examPerDay, ["1", "500"], ["0", "501"]),
        (.retention, ["0.7", "0.97"], ["0.69", "0.98", "1e400", "\"high\""]),
        (.lapseLimit, ["0", "3", "99"], ["-1", "1", "2", "100"]),
        (
            .easyDays, ["[0,0,0,0,0,0,0]", "[100,50,0,100,100,100,50]"],
            ["[]", "[100]", "[100,50,0,100,100,100,49]", "100"]
        ),
        (.spreads, ["true", "false"], ["1", "\"no\""]),
    ])
    func aValueOutOfRangeCountsAsTheDefault(
        field: LearningFields.Field, good: [String], bad: [String]
    ) throws {
        for text in good {
            let fields = try fields("{\"\(field.rawValue)\": \(text)}")
            #expect(fields.outOfRange.isEmpty, "\(field) \(text)")
        }
        for text in bad {
            // A number that no decoder can read spoils the whole text.
            guard let all = try? fields("{\"\(field.rawValue)\": \(text), \"newPerDay\": 20}")
            else { continue }
            #expect(LearningSettings(all: all) == .standard, "\(field) \(text)")
            guard field != .newPerDay else { continue }
            #expect(all.outOfRange == [field], "\(field) \(text)")
        }
    }

    @Test func fieldsAreEncodedWithoutThoseThatAreNotSet() throws {
        var fields = LearningFields()
        fields.newPerDay = 5
        fields.easyDays = [0, 50, 100, 0, 50, 100, 0]
        let data = try JSONEncoder().encode(fields)
        #expect(try JSONDecoder().decode(LearningFields.self, from: data) == fields)
        #expect(!String(decoding: data, as: UTF8.self).contains("retention"))
    }
}
