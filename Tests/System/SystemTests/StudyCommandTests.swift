import Foundation
import StudyModel
import TestSupport
import Testing
import Underway

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

    /// Answers a session right, question by question; returns false when nothing is due.
    private func answerRight() async throws -> Bool {
        for _ in 0..<20 {
            let shown = try await study([], input: "q\n").output
            if shown.contains("Nothing is due now") { return false }
            let sum = try #require(shown.firstMatch(of: /What is (\d) \+ \d\?/)?.1)
            let right = 2 * (Int(sum) ?? 0)
            let place = try #require(
                shown.firstMatch(of: try Regex("(\\d)\\) \(right)\n"))?[1].substring)
            if try await study([], input: "\(place)\n").output.contains("Result: ") { return true }
        }
        return true
    }

    @Test func settingsAreChangedAndSaid() async throws {
        try await importAndBundle()
        func set(_ arguments: [String]) async throws -> Tool.Result {
            try await Tool.run(
                ["study"] + arguments + [
                    "--store", folder.path + "/store", "--bundle", folder.path + "/bundle",
                ])
        }
        let changed = try await set(["--set", "newPerDay=2", "spreads=false"])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(changed.output.contains("all banks: newPerDay=2 spreads=false."))
        let one = try await set(["int/sums", "--set", "newPerDay=3"])
        #expect(one.output.contains("Settings of int/sums: newPerDay=3."))
        #expect(try await study([], input: "q\n").output.contains("1 of 3"))
        let normal = try await set(["int/sums", "--set", "newPerDay=default"])
        #expect(normal.output.contains("int/sums has the settings of all banks."))
        let json = try await set(["--set", "newPerDay=2", "--json"])
        let fields = try JSONDecoder().decode(LearningFields.self, from: Data(json.output.utf8))
        #expect(fields.newPerDay == 2 && fields.spreads == false)

        for (argument, words) in [
            ("newPerDay=1000", "newPerDay=1000 is out of range"),
            ("spreads=yes", "spreads=yes is out of range"), ("spread=true", "The names are"),
            ("newPerDay", "NAME=VALUE"),
        ] {
            let refused = try await set(["--set", argument])
            #expect(refused.status == 64 && refused.errors.contains(words), "\(refused)")
        }
        let mistyped = try await set(["int/sum", "--set", "newPerDay=3"])
        #expect(
            mistyped.status == 4 && mistyped.errors.contains("It has: int/sums"), "\(mistyped)")
        for option in [["--limit", "4"], ["--mode", "exam"], ["--web"], ["--verify-schedules"]] {
            let refused = try await set(["--set", "newPerDay=3"] + option)
            #expect(refused.status == 64 && refused.errors.contains("Leave \(option[0]) out"))
        }
        for setting in ["rolloverHour=3", "optimises=false"] {
            let refused = try await set(["int/sums", "--set", setting])
            #expect(
                refused.status == 64 && refused.errors.contains("Leave the bank out"), "\(refused)")
        }
        #expect(
            try await set(["--set", "newPerDay=5"]).output.contains("newPerDay=5 spreads=false"))
    }

    @Test func theFitOfIntervalsSaysWhatItNeeds() async throws {
        try await importAndBundle()
        func fit(_ arguments: [String]) async throws -> Tool.Result {
            try await Tool.run(
                ["study", "--fit"] + arguments + [
                    "--store", folder.path + "/store", "--bundle", folder.path + "/bundle",
                ])
        }
        let needs = try await fit([])
        #expect(needs.status == 0 && needs.output == "512 more reviews are needed for a test.\n")
        #expect(try await fit(["--json"]).output.contains("\"reviewsNeeded\": 512"))
        for option in [["int/sums"], ["--limit", "4"], ["--set", "newPerDay=3"]] {
            #expect(try await fit(option).status == 64)
        }
    }

    @Test func aWrongAnswerIsAskedAgainAtTheEnd() async throws {
        try await importAndBundle()
        var again = false
        for number in 1...4 {
            let output = try await study(
                ["--limit", "1", "--fresh"], input: "\(number)\n1\n2\n3\n4\n"
            ).output
            again = again || output.contains("when asked again")
            #expect(output.contains("of 1 right"), "\(output)")
        }
        #expect(again)
    }

    /// Switches the repeats of wrong answers off.
    private func askEachQuestionOnce() async throws {
        let result = try await study(["--set", "repeatsToday=false"], input: "")
        try #require(result.status == 0, "\(result.errors)")
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
        try await askEachQuestionOnce()
        let first = try await study(["--limit", "3", "--seed", "1"], input: "1\n")
        #expect(first.status == 0)
        #expect(first.output.contains("1/3") && first.output.contains("2/3"))
        #expect(
            first.output.contains("Left: 1 answer is saved, the session is kept at question 2 of 3")
        )
        let outbox = try await Tool.run(["outbox", "--store", folder.path + "/store"]).output
        #expect(outbox.contains("  1 answer\n"), "\(outbox)")
        let second = try await study(["--json"], input: "1\n1\n")
        #expect(second.errors.contains("Going on with the session"))
        #expect(second.errors.contains("again in"))
        #expect(second.output.contains("\"questions\": 3"))
        // The three are due another day, or in ten minutes; the other three are new.
        let third = try await study(["--json"], input: "1\n1\n1\n")
        #expect(third.output.contains("\"questions\": 3"))
        // Nothing else is left, so that what was wrong is asked at once.
        var rounds = 0
        while rounds < 3, try await answerRight() { rounds += 1 }
        let last = try await study([], input: "")
        #expect(
            last.output.contains(/Nothing is due now; the next question is due on \S+, in \d+ day/),
            "\(last.output)")
    }

    @Test func uTakesTheLastAnswerBack() async throws {
        try await importAndBundle()
        let left = try await study(["--limit", "3"], input: "u\n1\nu\nq\n").output
        #expect(left.contains("There is nothing to undo."), "\(left)")
        #expect(left.ranges(of: "1/3").count == 2, "\(left)")
        #expect(
            left.contains("Left: 0 answers are saved, the session is kept at question 1 of 3"),
            "\(left)")
    }

    /// What is due is said of the questions that were wished for.
    @Test func whereNothingFitsNoOtherQuestionIsSaidToBeDue() async throws {
        try await importAndBundle()
        #expect(try await answerRight())
        let none = try await study(["--tag", "none"], input: "").output
        #expect(none.contains("There is no question that fits."), "\(none)")
        let plan = try await study(["--tag", "none", "--deadline", "2099-01-01"], input: "").output
        #expect(plan.contains("The plan for the exam asks nothing today."), "\(plan)")
        let past = try await study(["--deadline", "2020-01-01"], input: "")
        #expect(past.status == 64 && past.errors.contains("--deadline 2020-01-01 has passed."))
    }

    /// What comes tomorrow is said where the next of the learnt ones is later.
    @Test func newQuestionsOfTomorrowAreSaid() async throws {
        try await importAndBundle()
        let unasked = try await study(["--new", "0"], input: "").output
        #expect(unasked.contains("Nothing is due, and --new 0 asks nothing new."), "\(unasked)")
        let services = try services(folder.path + "/bundle")
        let bank = QuestionFilter.Bank.exam(region: "int", exam: "sums")
        var wishes = SessionWishes()
        wishes.newCards = 3
        let id = try await SessionStart(services).begin(bank, .study, wishes: wishes)
        let model = await SessionModel(services, id: id)
        for index in 0..<3 {
            await model.load()
            let question = try #require(await model.screen?.question)
            await model.answer(
                QuestionResponse(texts: question.correct.map { question.options[$0].id }), at: index
            )
        }
        let last = try await study(["--new", "3"], input: "").output
        #expect(last.contains(/due on \S+, in 2 days\. New ones come tomorrow\./), "\(last)")
    }

    /// Options choose what a session asks when it begins.
    @Test func optionsOfASessionThatGoesOnAreSaidToBeForANewOne() async throws {
        try await importAndBundle()
        try await askEachQuestionOnce()
        _ = try await study(["--limit", "3"], input: "1\n")
        let same = try await study([], input: "")
        #expect(!same.errors.contains("these options") && !same.output.contains("these options"))
        let other = try await study(["--limit", "2"], input: "1\n1\n")
        #expect(other.errors.contains("these options are for a new one."), "\(other.errors)")
        #expect(other.output.contains("3/3"), "\(other.output)")
    }

    /// A question that waits at one terminal is answered at another one: the first goes on with the next question.
    @Test func aQuestionThatWasAnsweredElsewhereIsNotAskedForEver() async throws {
        try await importAndBundle()
        try await askEachQuestionOnce()
        let script = """
            cd '\(folder.path)' && mkfifo in && trap '' PIPE
            "$@" < in > out & first=$!
            exec 3> in
            until grep -q 'answer> ' out; do kill -0 $first || exit 98; sleep 0.02; done
            echo 1 | "$@" > other
            echo 2 >&3; echo 1 >&3; exec 3>&-
            wait $first; code=$?
            cat out; exit $code
            """
        let result = try await Tool.run(
            [
                "study", "int/sums", "--store", folder.path + "/store", "--bundle",
                folder.path + "/bundle",
            ], inShell: script)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(result.output.contains("The session went on elsewhere."), "\(result.output)")
        #expect(result.output.contains("2/6") && result.output.contains("3/6"), "\(result.output)")
    }

    @Test func anExamHidesAnswersUntilTheEndAndSaysTheResult() async throws {
        try await importAndBundle()
        let exam = try await study(
            ["--mode", "exam", "--limit", "4", "--seed", "5"], input: "1\n1\n1\n1\n")
        #expect(exam.status == 0)
        #expect(!exam.output.contains("well done"))
        #expect(exam.output.contains("of 4 right"))
        #expect(exam.output.contains(/The time runs: \S+.* left for all questions together\./))
        #expect(try await study(["--limit", "0"], input: "").status == 64)
        #expect(try await study(["--difficulty", "9"], input: "").status == 64)
        #expect(try await study(["--deadline", "soon"], input: "").status == 64)
    }

    /// An answer that comes too late is not taken, and the reason is said.
    @Test func anExamWhoseTimeIsOverSaysSo() async throws {
        try await importAndBundle()
        let services = try services(folder.path + "/bundle") {
            Date().addingTimeInterval(-3 * 3_600)
        }
        let bank = QuestionFilter.Bank.exam(region: "int", exam: "sums")
        _ = try await SessionStart(services).begin(bank, .exam)
        let exam = try await study(["--mode", "exam"], input: "1\n")
        #expect(
            exam.output.contains("Result: Time is over. Your exam was handed in. 0 of 6 right"),
            "\(exam.output) \(exam.errors)")
    }

    /// The placement test of the app and that of the terminal are one, which neither cuts short.
    @Test func aPlacementTestOfTheAppGoesOn() async throws {
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
                ["study", "es", "--store", folder.path + "/store", "--bundle", bundle] + words,
                input: input)
        }
        let bank = QuestionFilter.Bank.placement(language: "es")
        // The app begins, and leaves after a question.
        let services = try services(bundle)
        let id = try await SessionStart(services).begin(bank, .placement)
        let model = await SessionModel(services, id: id)
        await model.load()
        let option = try #require(await model.screen?.options.first?.id)
        await model.answer([option], at: 0)
        await model.pause()
        for words in [["--limit", "1"], ["--mode", "study", "--limit", "1"], []] {
            let left = try await take(words, input: words == ["--limit", "1"] ? "1\n" : "q\n")
            #expect(left.status == (words == ["--limit", "1"] ? 64 : 0), "\(left.errors)")
            let open = try await services.userData.savedSession(id: id)?.session
            #expect(open?.state == .paused && open?.items.count { $0.answer != nil } == 1)
            if words.isEmpty {
                #expect(left.output.contains("Going on with the session"), "\(left.output)")
                #expect(left.output.contains("\n2.  "), "\(left.output)")
            }
        }
        let whole = try await take([], input: "1\n1\n")
        #expect(whole.output.contains("Result: "), "\(whole.output)")
        let finished = try await services.userData.perform { try $0.finishedSessions(limit: 1) }
        #expect(finished.first?.id == id)
        let data = try await take(["--json"], input: "1\n1\n1\n").output
        #expect(data.contains("\"possibleLevels\": [") && data.contains("\"ability\""), "\(data)")
    }

    /// The services of the study app on the device.
    private func services(
        _ bundle: String, clock: @escaping @Sendable () -> Date = { Date() }
    ) throws -> StudyServices {
        let store = folder.url.appending(path: "store")
        let content = try OfflineStore(folder: store, appVersion: "1")
        try content.installBundle(
            ContentBundle(folder: URL(fileURLWithPath: bundle)), now: Date())
        return StudyServices(
            content: content, userData: try UserStore(folder: store), clock: clock)
    }

    /// What is due, and when the next is, is the same in the terminal and in the app.
    @Test func theTerminalSaysWhatTheAppSays() async throws {
        try await importAndBundle()
        let services = try services(folder.path + "/bundle")
        func due() async throws -> Int {
            let model = await TodayModel(services)
            await model.load()
            return try #require(await model.screen).dueCount
        }
        func dueInTerminal() async throws -> Int {
            let left = try await study(["--json"], input: "q\n")
            let count = try #require(left.output.firstMatch(of: /"questions": (\d+)/)?.1)
            let answered = left.output.firstMatch(of: /"answered": (\d+)/)?.1 ?? "0"
            return (Int(count) ?? 0) - (Int(answered) ?? 0)
        }
        let bank = QuestionFilter.Bank.exam(region: "int", exam: "sums")
        // All questions are due in the app once they were begun there.
        let begun = try await SessionStart(services).begin(bank, .study)
        #expect(try await dueInTerminal() == 6)
        let model = await SessionModel(services, id: begun)
        await model.load()
        await model.answer(["a"], at: 0)
        #expect(try await dueInTerminal() == 5)
        while try await answerRight() {}
        #expect(try await due() == 0)
        #expect(try await dueInTerminal() == 0)
        let studied = try await services.userData.perform { [bank] in
            try $0.schedules(of: bank, by: StudyServices.scheduler, now: Date())
        }
        let next = try #require(studied.values.compactMap(\.schedule.dueDay).min())
        let last = try await study([], input: "")
        #expect(last.output.contains("is due on \(next.date), in "), "\(last.output)")
    }

    @Test func anOptionWithoutEffectIsRefused() async throws {
        try await importAndBundle()
        for (words, option) in [
            (["--mode", "placement", "--limit", "1"], "--limit"),
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
        let none = try await Tool.run(["analyse", folder.path + "/answers.csv", "--exam", exam])
        #expect(none.status == 4 && none.errors.contains("no exam in"), "\(none.errors)")
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
