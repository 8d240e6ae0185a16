import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// The words of sessions over the sample's exam, which has a question of each type.
@Suite struct SessionTextTests {
    private let services: StudyServices
    private let formats: StudyFormats

    init() throws {
        let clock = TestClock()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        services = StudyServices(
            content: try OfflineStore.inMemory(blueprints: [.sampleExam, .samplePlacement]),
            userData: try UserStore.inMemory(), clock: { clock.now }, calendar: calendar,
            makeSeed: { 7 })
        formats = StudyFormats(words: StudyText(language: "en"), calendar: calendar)
    }

    private func session(
        _ mode: SessionMode = .study, _ bank: QuestionFilter.Bank = StudyDevice.exam,
        rates: Bool = false
    ) async throws -> SessionModel {
        let id = try await SessionStart(services).begin(bank, mode, ratesAnswers: rates)
        let model = await SessionModel(services, id: id)
        await model.load()
        return model
    }

    /// Goes on, without an answer, to the first question of a type.
    private func question(
        _ type: QuestionType, in model: SessionModel
    ) async throws -> SessionScreen {
        for _ in 0..<10 {
            let screen = try #require(await model.screen)
            if screen.question.type == type { return screen }
            await model.skip(at: screen.index)
        }
        throw StudyProblem(.notFound)
    }

    /// Answers the first question of a type.
    private func answered(
        _ type: QuestionType, _ response: (SessionScreen) -> QuestionResponse
    ) async throws -> SessionScreen {
        let model = try await session()
        let screen = try await question(type, in: model)
        await model.answer(response(screen), at: screen.index)
        return try #require(await model.screen)
    }

    private func words(_ screen: SessionScreen, _ problem: StudyProblem.Code? = nil)
        -> SessionText
    {
        SessionText(screen, formats, problem: problem.map { StudyProblem($0) })
    }

    private func wrong(_ screen: SessionScreen) -> [String] {
        let right = Set(screen.question.correctOptionIDs)
        return screen.options.map(\.id).filter { !right.contains($0) }
    }

    // MARK: Foot

    @Test(arguments: [
        (QuestionType.singleChoice, ""), (.multiChoice, "Several may be right."),
        (.ordering, "Drag a row, or move it with its arrows."), (.numericEntry, ""),
    ])
    func anOpenQuestionHasItsHint(type: QuestionType, hint: String) async throws {
        let words = words(try await question(type, in: session()))
        #expect(words.tone == .plain && words.sentence == hint && words.next == "Check")
        #expect(words.flag == nil && words.skip == nil && words.ratings.isEmpty)
    }

    @Test func aRightAnswerIsSaidAndGoesOn() async throws {
        let screen = try await answered(.singleChoice) { .options($0.question.correctOptionIDs) }
        let words = words(screen)
        #expect(words.tone == .right && words.sentence == "Right")
        #expect(words.next == (screen.next == nil ? "See result" : "Continue"))
    }

    @Test func aWrongChoiceNamesTheRightOneWithoutMarks() async throws {
        let screen = try await answered(.singleChoice) { .options([wrong($0)[0]]) }
        let right = screen.options.first { screen.question.correctOptionIDs.contains($0.id) }
        let answer = TextRun.plain(try #require(right).text)
        #expect(words(screen).tone == .wrong)
        #expect(words(screen).sentence == "Not quite. It is \(answer).")
    }

    @Test func severalAndOrdersCountWhatIsRight() async throws {
        let several = try await answered(.multiChoice) {
            .options([$0.question.correctOptionIDs[0]])
        }
        let total = several.question.correctOptionIDs.count
        #expect(words(several).sentence == "1 of \(total) right")
        let order = try await answered(.ordering) { screen in
            var ids = screen.question.correctOptionIDs
            ids.swapAt(0, 1)
            return .options(ids)
        }
        let count = order.options.count
        #expect(words(order).sentence == "\(count - 2) of \(count) in the right place")
    }

    @Test(arguments: [
        (StudyProblem.Code.noResponse, "Choose an answer first"),
        (.notSaved, "Your answer could not be kept. It is still chosen here."),
        (.ended, "This session has ended."),
    ])
    func aStepThatWasNotTakenSaysWhy(code: StudyProblem.Code, sentence: String) async throws {
        let words = words(try await question(.singleChoice, in: session()), code)
        #expect(words.tone == .care && words.sentence == sentence)
    }

    @Test func aNumberThatIsMissingIsAskedFor() async throws {
        let words = words(try await question(.numericEntry, in: session()), .noResponse)
        #expect(words.sentence == "Enter a number first" && words.missing == words.sentence)
    }

    @Test func ratingsHaveTheirIntervalsAndGoodIsTheMainOne() async throws {
        let model = try await session(rates: true)
        let screen = try #require(await model.screen)
        await model.answer(Self.right(screen), at: screen.index)
        let ratings = words(try #require(await model.screen)).ratings
        #expect(ratings.map(\.title) == ["Hard", "Good", "Easy"])
        #expect(ratings.map(\.isMain) == [false, true, false])
        #expect(ratings.map(\.interval) == ["15 minutes", "2 days", "8 days"])
    }

    private static func right(_ screen: SessionScreen) -> QuestionResponse {
        guard case .number = screen.question.key else {
            return .options(screen.question.correctOptionIDs)
        }
        return screen.question.correctResponse
    }

    @Test func anExamFlagsAndAPlacementTestSkips() async throws {
        let exam = try await session(.exam)
        let screen = try #require(await exam.screen)
        #expect(words(screen).flag == "Flag" && words(screen).next == "Next")
        await exam.flag(at: screen.index, true)
        #expect(words(try #require(await exam.screen)).flag == "Remove flag")
        let placement = try #require(
            await session(.placement, StudyDevice.english).screen)
        #expect(words(placement).skip == "I don’t know" && words(placement).flag == nil)
        #expect(placement.position(formats).hasPrefix("1, at most"))
    }

    // MARK: Options

    @Test func optionsAreMarkedByWordsAfterTheCheck() async throws {
        let open = try await question(.singleChoice, in: session())
        let before = OptionText.rows(open, chosen: [open.options[0].id], formats.words)
        #expect(before.map(\.isChosen) == open.options.indices.map { $0 == 0 })
        #expect(before.allSatisfy { $0.standing == .open && $0.mark == nil })

        let screen = try await answered(.singleChoice) { .options([wrong($0)[0]]) }
        let rows = OptionText.rows(screen, chosen: ["something else"], formats.words)
        #expect(rows.count { $0.standing == .right && $0.mark == "Right answer" } == 1)
        #expect(rows.count { $0.standing == .wrong && $0.mark == "Your answer" } == 1)
        #expect(rows.filter { $0.standing == .faded }.allSatisfy { $0.mark == nil })
        #expect(
            rows.allSatisfy { row in
                row.mark.map(OptionText.marks(formats.words).contains) ?? true
            })
    }

    @Test func theRowsOfAnOrderingSayTheirPlace() async throws {
        let open = try await question(.ordering, in: session())
        let order = open.options.map(\.id)
        let rows = OrderRowText.rows(open, order: order + ["unknown"], formats)
        #expect(rows.map(\.id) == order && rows.allSatisfy { $0.isRight == nil })
        #expect(rows[0].moved.hasSuffix("place 1 of \(order.count + 1)"))

        let screen = try await answered(.ordering) { screen in
            var ids = screen.question.correctOptionIDs
            ids.swapAt(0, 1)
            return .options(ids)
        }
        let checked = OrderRowText.rows(
            screen, order: screen.verdict?.response.optionIDs ?? [], formats)
        #expect(checked.prefix(3).map(\.isRight) == [false, false, true])
        #expect(checked.prefix(3).map(\.mark) == ["Place 2", "Place 1", "Right"])
    }

    // MARK: Draft

    @Test func aDraftChoosesOneOrSeveral() async throws {
        var one = ResponseDraft(try await question(.singleChoice, in: session()), formats)
        one.choose("a")
        one.choose("b")
        #expect(try one.response == .options(["b"]))
        var several = ResponseDraft(try await question(.multiChoice, in: session()), formats)
        for id in ["a", "b", "a"] { several.choose(id) }
        #expect(try several.response == .options(["b"]))
    }

    @Test func aDraftOfAnOrderingMovesWithinItsEnds() async throws {
        var draft = ResponseDraft(try await question(.ordering, in: session()), formats)
        let ids = draft.optionIDs
        draft.move(ids[0], by: -1)
        #expect(draft.optionIDs == ids)
        draft.move(ids[0], by: 1)
        #expect(Array(draft.optionIDs.prefix(2)) == [ids[1], ids[0]])
        draft.move(IndexSet(integer: 0), to: 2)
        #expect(draft.optionIDs == ids)
        draft.move(IndexSet(integer: 99), to: 0)
        #expect(draft.optionIDs == ids)
    }

    @Test func aDraftOfANumberReadsItOrSaysThatItIsNone() async throws {
        var draft = ResponseDraft(try await question(.numericEntry, in: session()), formats)
        #expect(try draft.response.isEmpty)
        draft.number = "about three"
        #expect(throws: EnteredNumberError.self) { try draft.response }
        draft.number = " 2.5 "
        let typed = try #require(DecimalNumber("2.5"))
        #expect(try draft.response == .number(typed))
    }

    // MARK: Overview and result

    @Test func theOverviewCountsWhatIsOpen() async throws {
        let exam = try await session(.exam)
        let screen = try #require(await exam.screen)
        await exam.answer(Self.right(screen), at: screen.index)
        await exam.flag(at: screen.index, true)
        let overview = OverviewText(try #require(await exam.screen), formats)
        let open = overview.places.count - 1
        #expect(overview.lead == "1 answered, \(open) open, 1 flagged")
        #expect(overview.places[screen.index].name.hasSuffix("answered, flagged"))
        #expect(overview.openQuestion == "\(open) questions are open. Hand in anyway?")
    }

    @Test func aResultSaysPointsAndWhatWasMissed() async throws {
        let exam = try await session(.exam)
        await exam.finish()
        let model = await ResultModel(services, id: exam.id)
        await model.load()
        let screen = try #require(await model.screen)
        let words = ResultText(screen, formats)
        #expect(words.finding.hasPrefix("Not passed, 0 of \(screen.questionCount)."))
        #expect(words.certainty == "\(screen.questionCount) questions were not answered.")
        #expect(words.correction == nil && words.timeOver == nil)
        #expect(words.crumbs.hasPrefix("Exam simulation · \u{2068}Harbour Master\u{2069}"))
        #expect(words.studyOn == "Keep studying")
        let missed = try #require(screen.missed.first)
        #expect(missed.outcome(formats.words).hasPrefix("Not answered. Right: "))
        #expect(screen.parts.first?.score(formats).hasPrefix("0 of") == true)
    }
}
