/// Small content folders for tests.
extension TemporaryFolder {
    /// Writes a content folder with placement tests, texts, audio and one exam with an image.
    public func writeContent(_ languages: [String] = ["de", "en", "es"]) throws {
        try write("name: Test\nannouncements: { languages: [en] }\n", to: "content/underway.yaml")
        for language in languages {
            try writeBlueprint(language)
            try write(
                "{\"start\": \"\(language)\"}",
                to: "content/languages/\(language)/localization.json")
        }
        try write(
            Array("clip of es".utf8), to: "content/languages/\(languages[0])/audio/hello.m4a")
        try write(
            "title: Exam\ndomains: [{ id: net, title: Net }, { id: sec, title: Sec }]\n",
            to: "content/exams/int/demo/exam.yaml")
        try write(
            Self.question("q1", domain: "net", difficulty: 1, image: "one.svg")
                + Self.question("q2", domain: "net", difficulty: 3)
                + Self.question("q3", domain: "sec", difficulty: 3),
            to: "content/exams/int/demo/questions.yaml")
        try write(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            to: "content/exams/int/demo/media/one.svg")
        try write("{\"link\": \"https://example.org\"}", to: "content/assets/links.json")
        try write("big file", to: "content/assets/later.bin")
        try write("later.bin: onDemand\n", to: "content/assets.yaml")
    }

    /// Writes a placement test of three questions.
    public func writeBlueprint(_ language: String, key: Int = 0, stem: String = "One?") throws {
        let text = """
            kind: placement
            id: \(language)
            title: Test of \(language)
            version: "1.0.0"
            scoring: { cuts: [{ level: A1, from: 0 }, { level: A2, from: 2 }] }
            questions:
            """
        let questions =
            Self.question("\(language)-1", key: key, stem: stem)
            + Self.question("\(language)-2") + Self.question("\(language)-3", difficulty: 5)
        try write(
            text + "\n" + questions.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
                + "\n", to: "content/languages/\(language)/blueprint.yaml")
    }

    /// One question in YAML.
    public static func question(
        _ id: String, domain: String? = nil, difficulty: Int = 1, image: String? = nil,
        key: Int = 0, stem: String? = nil
    ) -> String {
        """
        - id: \(id)
          type: single-choice
          difficulty: \(difficulty)
          stem: "\(stem ?? "Question \(id)?")"
          options: [{ id: a, text: first }, { id: b, text: other }, { id: c, text: third }]
          correct: [\(key)]
        \(domain.map { "  domain: \($0)\n" } ?? "")\(image.map { "  image: \($0)\n" } ?? "")
        """
    }
}
