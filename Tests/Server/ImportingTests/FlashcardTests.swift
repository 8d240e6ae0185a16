import ContentModel
import Importing
import Testing

@Suite struct FlashcardTests {
    private func deck(_ notes: [(String, String)], templates: String = "") -> [UInt8] {
        let list = notes.enumerated().map {
            "{\"guid\": \"g\($0)\", \"note_model_uuid\": \"m\", \"tags\": [],"
                + " \"fields\": [\"\($1.0)\", \"\($1.1)\"]}"
        }
        return Array(
            """
            {"__type__": "Deck", "crowdanki_uuid": "d", "note_models": [{"crowdanki_uuid": "m",
              "name": "Basic", "type": 0, "flds": [{"name": "Front"}, {"name": "Back"}],
              "tmpls": [\(templates)]}], "notes": [\(list.joined(separator: ","))]}
            """.utf8)
    }

    @Test func optionsOnTheFrontAreTheOptions() throws {
        let result = try imported(
            deck([
                ("What is 1+1? A) 1 B) 2 C) 3", "B"),
                ("Which?<br>A. x<br>B. y", "B. y<br>because"),
                ("Which? A) x B) y", "D"),
            ]), .crowdAnki)
        #expect(result.questions.map(\.stem) == ["What is 1+1?", "Which?"])
        #expect(result.questions.map { $0.options.map(\.text) } == [["1", "2", "3"], ["x", "y"]])
        #expect(result.questions.map(\.correct) == [[1], [1]])
        #expect(result.questions[1].explanation == "because")
        #expect(result.skipped.count == 1 && result.skipped[0].reason.contains("\"D\""))
    }

    @Test func reverseCardsAskForTheFront() throws {
        let result = try imported(
            deck(
                [("uno", "one"), ("dos", "two"), ("tres", "three")],
                templates: """
                    {"qfmt": "{{Front}}", "afmt": "{{FrontSide}}<hr>{{Back}}"},
                    {"qfmt": "{{#Back}}{{Back}}{{/Back}}", "afmt": "{{FrontSide}}{{Front}}"}
                    """), .crowdAnki)
        #expect(
            result.questions.map(\.stem) == ["uno", "one", "dos", "two", "tres", "three"])
        let reverse = try #require(result.questions.first { $0.stem == "one" })
        #expect(reverse.options[reverse.correct[0]].text == "uno")
        #expect(Set(reverse.options.map(\.text)) == ["uno", "dos", "tres"])
    }

    @Test(.timeLimit(.minutes(1))) func aLargeDeckTakesLinearTime() throws {
        var seconds: [Double] = []
        for count in [600, 6_000] {
            let notes = (0..<count).map { ("front \($0)", "back \($0)") }
            let bytes = deck(notes)
            let time = try ContinuousClock().measure {
                let result = try imported(bytes, .crowdAnki)
                #expect(result.questions.count == count)
                #expect(result.questions.allSatisfy { $0.options.count >= 3 })
            }
            seconds.append(time / .seconds(1))
        }
        // Ten times the notes: a quadratic import would take a hundred times as long.
        #expect(seconds[1] < seconds[0] * 40, "\(seconds)")
        print("FlashcardTests 600 and 6000 notes: \(seconds) s")
    }

    private func crowd(_ notes: [(String, String)], templates: [(String, String)]) -> String {
        let cards = templates.enumerated().map { index, sides in
            "{\"name\": \"t\(index)\", \"ord\": \(index), \"qfmt\": \"\(sides.0)\", \"afmt\": \"\(sides.1)\"}"
        }
        let rows = notes.enumerated().map { index, note in
            "{\"guid\": \"\(index)\", \"note_model_uuid\": \"m\", \"fields\": [\"\(note.0)\", \"\(note.1)\"], \"tags\": []}"
        }
        return """
            {"__type__": "Deck", "crowdanki_uuid": "x", "name": "d", "media_files": [], "children": [],
             "note_models": [{"crowdanki_uuid": "m", "type": 0,
               "flds": [{"name": "Front", "ord": 0}, {"name": "Back", "ord": 1}],
               "tmpls": [\(cards.joined(separator: ","))]}],
             "notes": [\(rows.joined(separator: ","))]}
            """
    }

    @Test func anAnswerOfTheSameFrontIsNoWrongOne() throws {
        let notes = [
            ("France", "Paris"), ("France", "Lutetia"), ("Italy", "Rome"), ("Spain", "Madrid"),
        ]
        let result = try imported(
            crowd(notes, templates: [("{{Front}}", "{{Back}}")]), .crowdAnki)
        let france = result.questions.filter { $0.stem == "France" }
        #expect(france.count == 2)
        for question in france {
            let texts = question.options.map(\.text)
            #expect(texts.contains("Paris") != texts.contains("Lutetia"), "\(texts)")
        }
    }

    @Test func theWordsOfATemplateAreAPartOfTheQuestion() throws {
        let templates = [
            ("<b>What is the capital of {{Front}}?</b>", "{{FrontSide}}<hr>{{Back}}"),
            (
                "{{#Back}}{{Back}} is the capital of …{{/Back}}{{^Back}}Nothing{{/Back}}",
                "{{Front}}"
            ),
        ]
        let notes = [("France", "Paris"), ("Italy", "Rome"), ("Spain", "Madrid")]
        let result = try imported(crowd(notes, templates: templates), .crowdAnki)
        #expect(
            result.questions.prefix(2).map(\.stem) == [
                "What is the capital of France?", "Paris is the capital of …",
            ])
    }
}
