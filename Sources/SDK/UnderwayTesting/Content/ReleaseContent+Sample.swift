public import ContentModel

extension ReleaseContent {
    /// A small release for previews and tests: the exam `int/harbour` with a question of each type, a
    /// placement test of English, texts, an asset of links and an announcement.
    public static var sample: ReleaseContent {
        ReleaseContent(
            blueprints: [.sampleExam, .samplePlacement],
            localizations: ["en": Localization(strings: ["start": "Cast off"])],
            assets: [
                "policy-links.json": .json(#"{"en": {"privacy": "https://example.org/privacy"}}"#)
            ],
            announcements: [.sample])
    }
}

extension Blueprint {
    /// The exam `int/harbour`: a question of each type in two domains.
    public static var sampleExam: Blueprint {
        Blueprint(
            kind: .exam, id: "int/harbour", title: "Harbour Master", version: "1",
            domains: [
                Domain(id: "rules", title: "Rules of the road", weight: 60),
                Domain(id: "craft", title: "Seamanship", weight: 40),
            ],
            levels: [1: "Deckhand", 2: "Mate", 3: "Captain"],
            scoring: Scoring(passFraction: 0.6),
            questions: [
                .sampleSingleChoice, .sampleMultiChoice, .sampleOrdering, .sampleCode,
                .sampleNumber,
            ])
    }

    /// The placement test of English, with three questions and two levels.
    public static var samplePlacement: Blueprint {
        Blueprint(
            kind: .placement, id: "en", title: "English: placement test", version: "1",
            scoring: Scoring(cuts: [
                CutScore(level: "A1", from: 0), CutScore(level: "A2", from: 2),
            ]),
            questions: [
                .choice("en-1", "The boat ___ in the harbour.", ["is", "are", "be"]),
                .choice("en-2", "She ___ to the island every day.", ["sails", "sail", "sailing"]),
                .choice(
                    "en-3", "They ___ before the storm came.", ["had left", "leave", "leaves"]),
            ])
    }
}

extension Announcement {
    /// The announcement of a website, in English and German.
    public static var sample: Announcement {
        Announcement(
            identifier: 1, type: .website,
            texts: [
                "en": AnnouncementText(
                    title: "New charts", content: "The bank has new questions on tides.",
                    buttons: ["open": "Read on"]),
                "de": AnnouncementText(
                    title: "Neue Karten", content: "Es gibt neue Fragen zu den Gezeiten.",
                    buttons: ["open": "Weiterlesen"]),
            ], link: "https://example.org/news")
    }
}

extension Question {
    /// A question with one right option, `a`.
    public static var sampleSingleChoice: Question {
        var question = choice(
            "lights", "Which colour is the sidelight on the port side?",
            ["Red", "Green", "White"])
        question.domain = "rules"
        question.explanation = "Port is red, starboard is green."
        return question
    }

    /// A question with two right options, `a` and `c`.
    public static var sampleMultiChoice: Question {
        Question(
            id: "distress", type: .multiChoice, domain: "rules", difficulty: 2,
            stem: "Which two of these are distress signals?",
            options: [
                QuestionOption(id: "a", text: "A red parachute flare"),
                QuestionOption(id: "b", text: "A green hand lamp"),
                QuestionOption(id: "c", text: "Orange smoke"),
            ],
            correct: [0, 2], tags: ["signals"])
    }

    /// A question whose options are ordered: `b`, `a`, `c`.
    public static var sampleOrdering: Question {
        Question(
            id: "mooring", type: .ordering, domain: "craft", difficulty: 2,
            stem: "Put the steps of coming alongside in order.",
            options: [
                QuestionOption(id: "a", text: "Pass the bow line ashore"),
                QuestionOption(id: "b", text: "Rig the fenders"),
                QuestionOption(id: "c", text: "Switch off the engine"),
            ],
            correct: [1, 0, 2])
    }

    /// A question about a piece of code, with one right option, `a`.
    public static var sampleCode: Question {
        Question(
            id: "course", type: .codeSnippet, domain: "craft", difficulty: 3,
            stem: "What does this print?",
            code: CodeSnippet(language: "swift", text: "print((350 + 20) % 360)"),
            options: [
                QuestionOption(id: "a", text: "10"), QuestionOption(id: "b", text: "370"),
                QuestionOption(id: "c", text: "-10"),
            ],
            correct: [0])
    }

    /// A question to which a number is entered: 1.852 km, within 0.01.
    public static var sampleNumber: Question {
        let value = DecimalNumber("1.852") ?? .zero
        let tolerance = DecimalNumber("0.01") ?? .zero
        return Question(
            id: "mile", type: .numericEntry, domain: "craft", difficulty: 1,
            stem: "How long is a nautical mile?",
            key: .number(NumericKey(.value(value, .absolute(tolerance)), unit: "km")))
    }

    /// Makes a single-choice question whose first option is right.
    fileprivate static func choice(_ id: String, _ stem: String, _ options: [String]) -> Question {
        Question(
            id: id, type: .singleChoice, difficulty: 1, stem: stem,
            options: zip(["a", "b", "c"], options).map { QuestionOption(id: $0, text: $1) },
            correct: [0])
    }
}
