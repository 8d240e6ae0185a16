import Foundation
import Testing
import UserData

@Suite struct QuestionReportTests {
    private let report = QuestionReport(
        bank: "int/swift", question: "swift-001", version: "1", reason: .wrongKey, text: "B too.")

    @Test func fieldsAreReadAsTheyWereWritten() throws {
        #expect(QuestionReport(report.fields) == report)
        #expect(CollectionRules.questionReports.accepts(report.fields))
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(QuestionReport.self, from: data) == report)
    }

    @Test func aReasonOfALaterVersionIsAnother() throws {
        var fields = report.fields
        fields["reason"] = "boring"
        #expect(QuestionReport(fields)?.reason == .other)
        let text = #"{"bank":"es","question":"q","version":"","reason":"boring"}"#
        let read = try JSONDecoder().decode(QuestionReport.self, from: Data(text.utf8))
        #expect(read.reason == .other && read.text.isEmpty)
    }

    @Test(arguments: ["bank", "question", "version", "reason"])
    func aRecordWithoutAFieldIsNoReport(field: String) {
        var fields = report.fields
        fields[field] = nil
        #expect(QuestionReport(fields) == nil)
        #expect(!CollectionRules.questionReports.accepts(fields))
    }

    @Test func aLongTextIsCut() {
        let long = QuestionReport(
            bank: "es", question: "q", version: "", reason: .other,
            text: String(repeating: "ä", count: QuestionReport.textLengthMax + 1))
        #expect(long.text.count == QuestionReport.textLengthMax)
        #expect(CollectionRules.questionReports.accepts(long.fields))
    }

    @Test func anUnreadableConsentIsNone() {
        #expect(Consent.isGiven(Consent.fields(isGiven: true)))
        for fields: [String: FieldValue] in [
            [:], ["isGiven": false], ["isGiven": "true"], ["isGiven": 1], ["given": true],
        ] {
            #expect(!Consent.isGiven(fields))
        }
    }
}
