import Foundation
import TestSupport
import Testing

/// Importing, studying and analysing, as one types them.
@Suite struct StudyCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        let bank = (1...6).map {
            "::n\($0)::What is \($0) + \($0)?{=\(2 * $0)#well done ~\(2 * $0 + 1) ~0}"
        }
        try folder.write(
            bank.joined(separator: "\n\n") + "\n\nEssay?{}\n", to: "sums.gift")
    }

    private var exam: String { folder.path + "/content/exams/int/sums" }

    private func importAndBundle() async throws {
        let written = try await Tool.run(
            ["import", folder.path + "/sums.gift", "--into", exam, "--write", "--title", "Sums"])
        #expect(written.status == 0, "\(written.errors)")
        let release = ["--release", folder.path + "/release"]
        let published = try await Tool.run(
            ["publish", "--content", folder.path + "/content"] + release)
        #expect(published.status == 0, "\(published.errors)")
        #expect(try await Tool.run(["bundle", folder.path + "/bundle"] + release).status == 0)
    }

    private func study(_ arguments: [String], input: String) async throws -> Tool.Result {
        try await Tool.run(
            [
                "study", "int/sums", "--store", folder.path + "/store", "--bundle",
                folder.path + "/bundle",
            ]
                + arguments, input: input)
    }

    @Test func aDryImportShowsALedgerAndChangesNothing() async throws {
        let dry = try await Tool.run(["import", folder.path + "/sums.gift", "--into", exam])
        #expect(dry.status == 0)
        #expect(dry.output.contains("found 7 = imported 6 + skipped 1"))
        #expect(dry.output.contains("skipped line 13: essays cannot be graded"))
        #expect(!folder.exists("content/exams"))
        let json = try await Tool.run([
            "import", folder.path + "/sums.gift", "--into", exam, "--json",
        ])
        #expect(json.output.contains("\"found\": 7") && json.output.contains("\"imported\": 6"))
    }

    @Test func oneUnreadableFileWritesNothing() async throws {
        try folder.write("not a bank", to: "strange.txt")
        let result = try await Tool.run(
            [
                "import", folder.path + "/sums.gift", folder.path + "/strange.txt", "--into", exam,
                "--write",
            ])
        #expect(result.status == 6)
        #expect(result.output.contains("strange.txt is of no known format"))
        #expect(!folder.exists("content/exams"))
        #expect(try await Tool.run(["import", "x.gift", "--into", folder.path]).status == 64)
    }

    @Test func studyingKeepsAnswersAndGoesOnWhereItStopped() async throws {
        try await importAndBundle()
        let first = try await study(["--limit", "3", "--seed", "1"], input: "1\n")
        #expect(first.status == 0)
        #expect(first.output.contains("1/3") && first.output.contains("2/3"))
        #expect(
            first.output.contains("Left: 1 answer is saved, the session is kept at question 2 of 3")
        )
        let outbox = try await Tool.run(["outbox", "--store", folder.path + "/store"]).output
        #expect(outbox == "1 answer waits, not synced yet.\n  1 answer\n")
        let second = try await study(["--json"], input: "1\n1\n")
        #expect(second.errors.contains("Going on with the session"))
        #expect(second.errors.contains("again in"))
        #expect(second.output.contains("\"questions\": 3"))
        // The three are due another day; the other three are new.
        let third = try await study(["--json"], input: "1\n1\n1\n")
        #expect(third.output.contains("\"questions\": 3"))
        let fourth = try await study([], input: "")
        #expect(fourth.output.contains("Nothing is due today"))
    }

    @Test func anExamHidesAnswersUntilTheEndAndSaysTheResult() async throws {
        try await importAndBundle()
        let exam = try await study(
            ["--mode", "exam", "--limit", "4", "--seed", "5"], input: "1\n1\n1\n1\n")
        #expect(exam.status == 0)
        #expect(!exam.output.contains("well done"))
        #expect(exam.output.contains("of 4 right"))
        #expect(try await study(["--limit", "0"], input: "").status == 64)
        #expect(try await study(["--difficulty", "9"], input: "").status == 64)
        #expect(try await study(["--deadline", "soon"], input: "").status == 64)
    }

    /// Levels belong to whole tests, and options are never ignored.
    @Test func aPlacementTestThatIsCutShortHasNoLevel() async throws {
        try folder.writeContent(["es"])
        let release = folder.path + "/release"
        let published = try await Tool.run([
            "publish", "--content", folder.path + "/content", "--release", release,
        ])
        #expect(published.status == 0, "\(published.errors)")
        let bundle = folder.path + "/bundle"
        #expect(try await Tool.run(["bundle", bundle, "--release", release]).status == 0)
        func take(_ words: [String], input: String) async throws -> Tool.Result {
            try await Tool.run(
                ["study", "es", "--fresh", "--store", folder.path + "/store", "--bundle", bundle]
                    + words, input: input)
        }
        let whole = try await take([], input: "1\n1\n1\n")
        #expect(whole.output.contains("of 3, level A"), "\(whole.output)")
        let short = try await take(["--limit", "2"], input: "1\n1\n")
        #expect(
            short.output.contains("of 2. No level: the test was cut short (--limit)."),
            "\(short.output)")
        let json = try await take(["--limit", "2", "--json"], input: "1\n1\n").output
        #expect(json.contains("\"cutShort\": true") && !json.contains("\"level\""), "\(json)")
        let adaptive = try await take(["--adaptive"], input: "1\n1\n1\n")
        #expect(adaptive.output.contains("Level "), "\(adaptive.output)")
        let brief = try await take(["--adaptive", "--limit", "2"], input: "1\n1\n")
        #expect(
            brief.output.contains("No level: the test was cut short after 2 questions"),
            "\(brief.output)")
        #expect(!brief.output.contains("Level "), "\(brief.output)")
        let data = try await take(["--adaptive", "--json"], input: "1\n1\n1\n").output
        #expect(data.contains("\"possibleLevels\": [") && data.contains("\"ability\""), "\(data)")
    }

    @Test func anOptionWithoutEffectIsRefused() async throws {
        try await importAndBundle()
        for (words, option) in [
            (["--adaptive"], "--adaptive"), (["--mode", "exam", "--adaptive"], "--adaptive"),
            (["--mode", "exam", "--new", "3"], "--new"),
            (["--mode", "exam", "--deadline", "2099-12-24"], "--deadline"),
            (["--mode", "placement", "--tag", "x"], "--tag"),
        ] {
            let result = try await study(words, input: "1\n")
            #expect(result.status == 64, "\(words): \(result.output)")
            #expect(result.errors.contains("\(option) has no effect with --mode"), "\(words)")
        }
    }

    @Test func aBankGoesOutAndComesBack() async throws {
        try await importAndBundle()
        for file in ["out.gift", "out.csv", "out.zip"] {
            let out = try await Tool.run(["export", exam, "-o", folder.path + "/" + file])
            #expect(out.output.contains("Wrote 6 questions"), "\(out.errors)")
            let again = try await Tool.run(["import", folder.path + "/" + file, "--into", exam])
            #expect(again.output.contains("found 6 = imported 0 + skipped 6"), "\(again.output)")
            #expect(again.output.contains("the same question is there already"), "\(again.output)")
        }
        #expect(try await Tool.run(["export", exam, "-o", "x.unknown"]).status == 64)
    }

    @Test func answersAreAnalysed() async throws {
        // Who is able says b to q9, whose key is a; all other keys are right.
        var rows = ["person,question,answer,key,exposures"]
        for person in 0..<80 {
            for question in 0..<10 {
                let isAble = person % 4 != 0 && (person + question) % 5 != 0
                let answer = question == 9 ? (isAble ? "b" : "a") : (isAble ? "a" : "c")
                rows.append("p\(person),q\(question),\(answer),a,0")
            }
            rows.append("p\(person),q0,a,a,1")
        }
        try folder.write(rows.joined(separator: "\n"), to: "answers.csv")
        let html = folder.path + "/report.html"
        let result = try await Tool.run(["analyse", folder.path + "/answers.csv", "--html", html])
        #expect(result.status == 0, "\(result.errors)")
        let first = result.output.split(separator: "\n").dropFirst().first ?? ""
        #expect(first.hasPrefix("q9") && first.hasSuffix("b"), "\(result.output)")
        #expect(result.output.contains("880 rows, 800 first answers of 80 people"))
        #expect(result.output.contains("80 left out: seen before"))
        let page = try folder.text("report.html")
        #expect(page.contains("<svg") && page.contains("Proposed: <b class=\"proposed\">b"))
        #expect(!page.contains("NaN") && !page.contains("nan"))
        // The former name of --exam.
        for option in ["--exam", "--bank"] {
            let none = try await Tool.run(["analyse", folder.path + "/answers.csv", option, exam])
            #expect(none.status == 4 && none.errors.contains("no exam in"), "\(none.errors)")
        }
        let json = try await Tool.run(["analyse", folder.path + "/answers.csv", "--json"])
        #expect(
            json.output.contains("\"proposedKey\": \"b\"") && json.output.contains("\"curves\""))
    }

    @Test(arguments: [
        ("person,question\n", 6), ("person,question,answer\na,q,b\n", 6),
        ("person,question,answer,key\np,q,a,a\np,q,a,b\n", 6),
        ("person,question,answer,key\np,q,\"a", 6), ("", 6),
        ("person,question,answer,key\n", 0), ("person,question,answer,key\np,q,a,a\n", 0),
        ("person;question;answer;key\np;q;a;a\n", 0),
    ])
    func oddAnswersGiveAMessageAndAStatus(text: String, status: Int32) async throws {
        try folder.write(text, to: "odd.csv")
        let result = try await Tool.run(["analyse", folder.path + "/odd.csv"])
        #expect(result.status == status, "\(text) \(result.errors)")
        #expect(status == 0 || result.errors.hasPrefix("underway: "))
        #expect(!result.output.lowercased().contains("nan"))
    }
}
