import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

/// The warnings about questions, in the shapes and languages of real banks.
@Suite struct QuestionLintTests {
    private func rules(
        _ stem: String, _ options: [String], key: [Int] = [0], explanation: String? = nil,
        type: QuestionType? = nil
    ) throws -> [Rule] {
        try problems([
            Question(
                id: "q", type: type ?? (key.count > 1 ? .multiChoice : .singleChoice),
                difficulty: 2, stem: stem,
                options: options.enumerated().map { .init(id: "o\($0)", text: $1) },
                correct: key, explanation: explanation)
        ]).map(\.rule)
    }

    private func problems(_ questions: [Question]) throws -> [Problem] {
        let folder = try TemporaryFolder()
        try folder.write("name: Demo\n", to: "content/underway.yaml")
        try folder.write("title: Demo\n", to: "content/exams/int/demo/exam.yaml")
        let json = JSONValue.array(questions.map(\.json)).canonicalBytes
        try folder.write(
            String(decoding: json, as: UTF8.self), to: "content/exams/int/demo/questions.yaml")
        return try ContentChecker.check(folder: folder.path + "/content")
    }

    private let four = ["one thing", "another", "a third", "a fourth"]

    // MARK: Select two

    @Test(arguments: [
        "Which are right? Select two.", "Choose TWO.", "Which? (Choose 3)",
        "Please select the two best.",
        "Pick exactly two: which are prime?", "Wählen Sie zwei.",
        "Was stimmt? Kreuzen Sie genau drei an.",
        "Lesquels ? Choisissez deux réponses.", "¿Cuáles? Elija dos.", "Quali? (Scegli due)",
        "Quais? Escolha duas.", "Welke? Kies twee.", "Które? Wybierz dwie odpowiedzi.",
        "Which two of these are even?", "Welche zwei Aussagen stimmen?",
        "Select two. Which are prime?",
        "正しいものを2つ選択してください。", "正しいものを二つ選べ。", "ما الصحيح؟ اختر إجابتين.",
    ])
    func aStemThatAsksForMoreThanTheKeyHas(stem: String) throws {
        #expect(try rules(stem, four) == [.selectCount])
    }

    @Test(arguments: [
        "What happens when you select two layers?", "Choose one.", "Choose two or more.",
        "Select 100 rows. What is returned?", "How do you choose two at random?",
        "Pick three cards from a deck: how likely is a pair?",
        "Choose the two-phase commit's second step.",
        "Select two numbers at random. What is the chance of a sum of 7?",
        "Which two-letter code is it?",
        "Which command lets you pick three files?", "The two that were selected: which is first?",
    ])
    func aStemThatSpeaksOfSelectingIsNone(stem: String) throws {
        #expect(try rules(stem, four) == [])
    }

    @Test func optionsThatListSoManyAreEnough() throws {
        let stem = "Which can be exported? (Select three items.)"
        #expect(try rules(stem, ["AVI, MOV and MP4", "AVI, PNG, MP4", "PNG, GIF, MP4"]) == [])
        #expect(try rules(stem, ["A, B, D", "B, C, D", "A, C, D"]).contains(.selectCount) == false)
        #expect(
            try rules("Which three tags are there?", ["<b> <i> <u>", "<a> <b> <c>", "<hr>"]) == [])
        #expect(
            try rules("Welche zwei sind es?", ["ISTZAHL und ISTTEXT", "ISTWERT und IST"]) == [])
        #expect(try rules(stem, ["AVI", "MOV", "PNG, GIF, MP4"]) == [.selectCount])
    }

    // MARK: All of the above, letters

    @Test(arguments: [
        "All of the above", "None of the above.", "Alle der oben genannten",
        "Keine der oben genannten Antworten",
        "Toutes les réponses ci-dessus", "Todas las anteriores", "Ninguna de las anteriores",
        "Tutte le precedenti", "Todas as alternativas anteriores", "Geen van bovenstaande",
        "Wszystkie powyższe", "上記のすべて", "جميع ما سبق",
    ])
    func anOptionThatPointsAtOthers(text: String) throws {
        #expect(try rules("Which is right?", four + [text]) == [.allOfTheAbove])
    }

    @Test(arguments: [
        "All of the above-ground parts of a plant", "None of the above the line entries",
        "All of them",
    ])
    func anOptionThatBeginsAlikeIsNone(text: String) throws {
        #expect(try rules("Which is right?", four + [text]) == [])
    }

    @Test(arguments: [
        "Both A and C", "A and B only", "A, B and C", "B & C", "Neither A nor B", "Only B",
        "Options A and D",
        "Sowohl A als auch B", "A und C", "A et B", "A y B", "Solo A", "A e C", "Zowel A als B",
        "A i C",
        "AとBの両方", "أ و ب", "All of A, B and C",
    ])
    func anOptionThatSpeaksOfLetters(text: String) throws {
        #expect(try rules("Which is right?", four + [text]) == [.letterReference])
    }

    @Test func lettersThatTheStemExplainsAreNone() throws {
        let stem = "Statement A: x is even. Statement B: x is prime. Which are true?"
        #expect(try rules(stem, ["A only", "B only", "Both A and B", "Neither"]) == [])
        #expect(try rules("Which points lie between A and D?", ["B and C", "A and C", "x"]) == [])
        #expect(try rules("Which grade?", ["A", "B", "C"]) == [])
        #expect(
            try rules("Which is right?", four + ["O(A*B)", "B=A", "*(A.B)", "`A`, `B`", "I+D"])
                == [])
        #expect(try rules("Which of CAP has it?", ["A, P", "C, A", "C, P", "A, B, C"]) == [])
        #expect(try rules("What is printed?", four + ["A A", "B B"]) == [])
        #expect(try rules("What prints `print(\"A\")`?", four + ["A and B"]) == [])
        #expect(try rules("Which layers does it affect?", ["B, C and D", "B", "None"]) == [])
        #expect(
            try rules("A car has which?", ["Both A and B", "Wheels", "Doors"]) == [.letterReference]
        )
        #expect(
            try rules("Which vitamins?", ["Vitamin A and C", "Iron and B12", "Class C only"]) == [])
    }

    @Test(arguments: [
        "Option B is too long.", "The answer is wrong. (C) is another.", "Antwort B stimmt nicht.",
        "La réponse C est fausse.", "La opción B es falsa.", "L'opzione B è errata.",
        "A alternativa C está errada.",
        "The correct answer is B.", "B is correct because it is short.", "It is so. Answer: B",
        "(b) is right, (a) is wrong.",
        "A and C are correct.", "Option 2 is correct.", "The first option is wrong.",
        "Die zweite Antwort ist richtig.",
        "Die richtige Antwort ist B", "So the answer is C.",
        "Optie B is fout.", "Odpowiedź C jest błędna.", "選択肢Bは誤りです。", "الخيار ب خطأ.",
    ])
    func anExplanationThatSpeaksOfLetters(text: String) throws {
        #expect(try rules("Which is right?", four, explanation: text) == [.letterReference])
    }

    @Test(arguments: [
        "Adenine (A) pairs with thymine.", "Answer: A car needs fuel.", "Plan B was better.",
        "The option is A-rated.", "Network (C) is private.", "A car is right.",
        "The second law is right.",
        "The second answer of the server is a redirect.", "It is the vitamin B.",
        "A is not a number.",
        "The first option of the command is optional.", "a is correct when b is true",
    ])
    func anExplanationWithCapitalsIsNone(text: String) throws {
        #expect(try rules("Which is right?", four, explanation: text) == [])
    }

    @Test func lettersOfTheQuestionAreNoPlaces() throws {
        let stem = "Which of the networks A, B and C is private?"
        #expect(try rules(stem, four, explanation: "B is wrong because it is public.") == [])
        let classes = ["class A", "class B", "class C"]
        #expect(try rules("Which class?", classes, explanation: "B is right.") == [])
    }

    // MARK: The same question

    private func sign(_ id: String, _ options: [String], key: Int = 0, stem: String? = nil)
        -> Question
    {
        Question(
            id: id, type: .singleChoice, difficulty: 1, stem: stem ?? "What does this sign mean?",
            options: options.enumerated().map { .init(id: "o\($0)", text: $1) }, correct: [key])
    }

    @Test func equalStemsWithOtherOptionsAreOtherQuestions() throws {
        #expect(
            try problems([sign("a", ["Stop", "Give way"]), sign("b", ["Ferry", "Bridge"])]) == [])
        #expect(
            try problems([
                sign("a", ["Stop", "Give way", "Turn", "Go"]),
                sign("b", ["Stop", "Bridge", "Ferry", "Rail"]),
            ]) == [])
    }

    @Test func equalStemsWithEqualOptionsAreOne() throws {
        let found = try problems([
            sign("a", ["Stop", "Give way"]), sign("b", ["give  way", "STOP"], key: 1),
            sign("c", ["Stop", "Give way"], key: 1),
        ])
        #expect(
            found.map(\.message) == [
                "\"b\" asks the same as \"a\"", "\"c\" asks the same as \"a\", with another key",
            ])
    }

    @Test(arguments: [
        ("What's the capital?", "What’s the capital?"), ("Is it HTTP?", "Is it **HTTP**"),
        ("Which one ?", "Which one?"),
    ])
    func stemsThatLookAlikeAreCompared(one: String, other: String) throws {
        let found = try problems([
            sign("a", ["Stop", "Give way"], stem: one),
            sign("b", ["Stop", "Give way"], key: 1, stem: other),
        ])
        let alike = found.filter { $0.rule == .duplicateStem }
        #expect(alike.map(\.message) == ["\"b\" asks the same as \"a\", with another key"])
        #expect(
            try problems([
                sign("a", ["5", "-1"], stem: "What is 2 + 3?"),
                sign("b", ["5", "-1"], key: 1, stem: "What is 2 - 3?"),
            ]) == [])
    }

    @Test func theSameQuestionInAnotherFileIsFound() throws {
        let folder = try TemporaryFolder()
        try folder.write("name: Demo\n", to: "content/underway.yaml")
        try folder.write("title: Demo\n", to: "content/exams/int/demo/exam.yaml")
        for (file, id) in [("questions-a", "a"), ("questions-b", "b")] {
            let json = JSONValue.array([sign(id, ["Stop", "Go"]).json]).canonicalBytes
            try folder.write(
                String(decoding: json, as: UTF8.self), to: "content/exams/int/demo/\(file).yaml")
        }
        let found = try ContentChecker.check(folder: folder.path + "/content")
        #expect(found.map(\.message) == ["\"b\" asks the same as \"a\""])
    }

    // MARK: Options and times

    @Test func optionsMayDifferInCase() throws {
        #expect(try rules("Which type?", ["String", "string", "str"]) == [.optionCase])
        #expect(try rules("Which type?", ["String", " String ", "str"]) == [.optionDuplicate])
        #expect(
            try rules("Which type?", ["String", "string", "string"])
                == [.optionCase, .optionDuplicate])
    }

    @Test(arguments: [
        ("2026-02-30T00:00:00Z", false), ("2026-02-29T00:00:00Z", false),
        ("2028-02-29T00:00:00Z", true),
        ("2100-02-29T00:00:00Z", false), ("2000-02-29T00:00:00Z", true),
        ("2026-04-31T00:00:00Z", false),
        ("2026-13-01T00:00:00Z", false), ("2026-00-01T00:00:00Z", false),
        ("2026-01-00T00:00:00Z", false),
        ("2026-01-31T23:59:59Z", true), ("2026-01-01T24:00:00Z", false),
        ("2026-01-01T00:60:00Z", false),
        ("2026-01-01T00:00:60Z", false),
    ])
    func timesThatTheCalendarDoesNotHave(time: String, exists: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("name: Demo\n", to: "content/underway.yaml")
        try folder.write(
            """
            identifier: 1
            type: information
            start: \(time)
            texts:
              en: { title: News, content: There is a new bank. }

            """, to: "content/announcements/news.yaml")
        let found = try ContentChecker.check(folder: folder.path + "/content")
        #expect(found.map(\.rule) == (exists ? [] : [.invalidValue]))
        #expect(found.allSatisfy { $0.position.line == 3 && $0.message.contains(time) })
    }
}
