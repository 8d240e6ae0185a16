import StudyModel
import Testing
import Underway

@Suite struct ReportDraftTests {
    @Test(arguments: [
        ("  B is right, too.\r\n", "B is right, too."), ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\u{0}a\u{7}\tb\u{1B}[31m", "a\tb[31m"), (" \u{A0}\n", ""),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ])
    func aTextIsStoredWithoutSpacesAroundItAndControlCharacters(
        typed: String, stored: String
    ) throws {
        let checked = try ReportDraft(reason: .wrongKey, text: typed).checked()
        #expect(checked.reason == .wrongKey && checked.text == stored)
    }

    @Test(arguments: [
        (ReportDraft(text: "no reason"), ReportDraft.Refusal.noReason),
        (ReportDraft(reason: .other), .noWords),
        (ReportDraft(reason: .other, text: " \n"), .noWords),
        (ReportDraft(reason: .unclear, text: String(repeating: "é", count: 1_001)), .tooLong),
    ])
    func aDraftThatSaysTooLittleOrTooMuchIsRefused(draft: ReportDraft, refusal: ReportDraft.Refusal)
    {
        #expect(throws: refusal) { try draft.checked() }
    }

    @Test func theLongestTextIsStoredWhole() throws {
        let text = String(repeating: "👩‍👩‍👧‍👦", count: 142)
        #expect(text.unicodeScalars.count == 994)
        #expect(try ReportDraft(reason: .other, text: text).checked().text == text)
    }
}
