import Importing
import Testing

@Suite struct MoodleLossTests {
    private func question(_ name: String, _ text: String, _ more: String = "") -> String {
        """
        <question type="multichoice"><name><text>\(name)</text></name>
        <questiontext format="html"><text><![CDATA[\(text)]]></text></questiontext>\(more)
        <answer fraction="100"><text>Iron</text></answer><answer fraction="0"><text>Neon</text></answer>
        </question>
        """
    }

    @Test func whatIsNotKeptIsNotedOnceWithItsCount() throws {
        let marks = "<defaultgrade>2.0</defaultgrade><penalty>0.5</penalty>"
        let result = try imported(
            "<quiz>" + question("Metals 1", "Which <b>one</b> is a metal?", marks)
                + question("Metals 2", "Which is <em>no</em> gas?", marks) + "</quiz>", .moodleXML)
        #expect(
            result.notes.map(\.message) == [
                "marks other than 1 of 2 questions are not kept",
                "penalties for another try of 2 questions are not kept",
                "names of 2 questions are not kept", "emphasis of 2 questions are not kept",
            ])
    }

    @Test func whatSaysNothingIsNotNoted() throws {
        let usual = "<defaultgrade>1.0000000</defaultgrade><penalty>0.3333333</penalty>"
        let result = try imported(
            "<quiz>" + question("Which is", "Which is a metal?", usual) + "</quiz>", .moodleXML)
        #expect(result.questions.count == 1 && result.notes.isEmpty)
    }
}
