import ContentModel
import Importing
import Testing

/// The key of an item of QTI 1.2 is what its own scoring says.
@Suite struct QTI1ScoringTests {
    /// A condition: its tests, and what they add to which outcome.
    private func condition(
        _ tests: String, _ outcome: String, _ action: String, _ points: String,
        continues: Bool = true
    ) -> String {
        """
        <respcondition\(continues ? " continue=\"Yes\"" : "")><conditionvar>\(tests)</conditionvar>\
        <setvar varname="\(outcome)" action="\(action)">\(points)</setvar></respcondition>
        """
    }

    private func chosen(_ option: String) -> String {
        "<varequal respident=\"R\">\(option)</varequal>"
    }

    private func item(
        _ conditions: String, cardinality: String = "Multiple", options: Int = 3
    ) -> String {
        let labels = (1...options).map { number in
            "<response_label ident=\"A\(number)\"><material><mattext>option \(number)</mattext></material></response_label>"
        }
        return """
            <questestinterop><item ident="i1"><presentation><material><mattext>Which?</mattext></material>\
            <response_lid ident="R" rcardinality="\(cardinality)"><render_choice>\(labels.joined())\
            </render_choice></response_lid></presentation><resprocessing>\(conditions)</resprocessing></item></questestinterop>
            """
    }

    private func right(_ text: String, outcome: String? = nil) throws -> [[String]] {
        try imported(Array(text.utf8), .qti, settings: ImportSettings(outcome: outcome))
            .questions.map { question in question.correct.map { question.options[$0].id } }
    }

    private func counters(_ right: String, _ wrong: String) -> String {
        condition(chosen("A1"), right, "Add", "1") + condition(chosen("A2"), wrong, "Add", "1")
            + condition(chosen("A3"), right, "Add", "1")
    }

    @Test func aCounterOfWrongOptionsMakesNoneRight() throws {
        #expect(try right(item(counters("D2L_Correct", "D2L_Incorrect"))) == [["A1", "A3"]])
        #expect(try right(item(counters("que_score", "feedback"))) == [["A1", "A3"]])
    }

    @Test func outcomesOfUnknownNamesAreAskedFor() throws {
        let text = item(counters("HITS", "FAULTS"))
        let result = try imported(text, .qti)
        #expect(result.questions.isEmpty)
        #expect(result.skipped.first?.reason.contains("\"FAULTS\", \"HITS\"") == true)
        #expect(result.skipped.first?.reason.contains("--outcome") == true)
        #expect(try right(text, outcome: "hits") == [["A1", "A3"]])
        let two = try imported(item(counters("SCORE", "que_score")), .qti)
        #expect(two.skipped.first?.reason.contains("several of them") == true)
    }

    @Test func whatIsExcludedOrSubtractsIsNotRight() throws {
        let all = "<and>\(chosen("A1"))<not>\(chosen("A2"))</not>\(chosen("A3"))</and>"
        #expect(
            try right(item(condition(all, "SCORE", "Set", "SCORE.max", continues: false)))
                == [["A1", "A3"]])
        let penalties =
            condition(chosen("A1"), "SCORE", "Add", "50")
            + condition(chosen("A2"), "SCORE", "Add", "-50")
            + condition(chosen("A3"), "SCORE", "Add", "50")
        #expect(try right(item(penalties)) == [["A1", "A3"]])
        let subtracted =
            condition(chosen("A1"), "SCORE", "Add", "1")
            + condition(chosen("A3"), "SCORE", "Subtract", "1")
        #expect(try right(item(subtracted)) == [["A1"]])
        #expect(
            try imported(item(penalties), .qti).notes.contains { $0.message.contains("points for") }
        )
    }

    @Test func theBestOptionOfASingleChoiceIsRight() throws {
        let partial =
            condition(chosen("A2"), "SCORE", "Set", "100")
            + condition(chosen("A1"), "SCORE", "Set", "40")
        let result = try imported(item(partial, cardinality: "Single"), .qti)
        #expect(result.questions.map(\.correct) == [[1]] && result.notes.count == 1)
        let several =
            condition(chosen("A1"), "SCORE", "Set", "100")
            + condition(chosen("A3"), "SCORE", "Set", "100")
        #expect(try right(item(several, cardinality: "Single")).isEmpty)
    }

    @Test func anItemWhoseEmptySelectionIsBestHasNoKey() throws {
        let inverted =
            condition(chosen("A1"), "SCORE", "Add", "1")
            + condition("<not>\(chosen("A1"))</not>", "SCORE", "Add", "2")
        #expect(try right(item(inverted)).isEmpty)
        let either = condition("<or>\(chosen("A1"))\(chosen("A2"))</or>", "SCORE", "Set", "1")
        #expect(try right(item(either)).isEmpty)
    }

    @Test func theFirstTrueConditionEndsTheProcessing() throws {
        let ended =
            condition(chosen("A2"), "SCORE", "Set", "100", continues: false)
            + condition("<other/>", "SCORE", "Set", "0", continues: false)
            + condition(chosen("A1"), "SCORE", "Set", "100", continues: false)
        #expect(try right(item(ended, cardinality: "Single")) == [["A2"]])
    }

    @Test func manyOptionsAreReadByWhatEachAdds() throws {
        let odd = stride(from: 1, through: 30, by: 2).map {
            condition(chosen("A\($0)"), "D2L_Correct", "Add", "1")
        }
        let even = stride(from: 2, through: 30, by: 2).map {
            condition(chosen("A\($0)"), "D2L_Incorrect", "Add", "1")
        }
        let text = item((odd + even).joined(), options: 30)
        #expect(try right(text).first?.count == 15)
        let other = condition("<unanswered/>", "SCORE", "Set", "0")
        #expect(
            try imported(item(other), .qti).skipped.first?.reason.contains("<unanswered>") == true)
    }

    @Test func anEntryWithASecondNumberIsRefused() throws {
        func entry(_ exact: String) -> String {
            """
            <questestinterop><item ident="i1"><presentation><material><mattext>g?</mattext></material>\
            <response_str ident="R"/></presentation><resprocessing><respcondition><conditionvar><or>\
            <varequal>\(exact)</varequal><and><vargte>9.8</vargte><varlte>9.83</varlte></and></or></conditionvar>\
            <setvar varname="SCORE">100</setvar></respcondition></resprocessing></item></questestinterop>
            """
        }
        #expect(try imported(entry("9.81"), .qti).questions.count == 1)
        #expect(try imported(entry("12"), .qti).questions.isEmpty)
    }
}
