#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A screen behind the first one of a tab.
enum StudyPlace: Hashable {
    case subject(Subject)
    case sessions(Subject)
    case questions(Subject)
    case files(Subject)
    case question(String, Subject)
    case result(String)
    case favourites
    case bookings
    case boards
    case board(String)
    case event(String)
    case boardProfile
    case conflict(RecordKey)
    case message(Int)
    case updates
    case log
    case learning(QuestionFilter.Bank?)
    case account
    case step(AccountStep)

    init(_ choice: InboxView.Choice) {
        switch choice {
        case .conflict(let key): self = .conflict(key)
        case .message(let id): self = .message(id)
        case .updates: self = .updates
        }
    }

    init(_ choice: SettingsView.Choice) {
        switch choice {
        case .log: self = .log
        case .learning: self = .learning(nil)
        case .account: self = .account
        }
    }

    init(_ choice: BoardListView.Choice) {
        switch choice {
        case .board(let id): self = .board(id)
        case .event(let id): self = .event(id)
        case .profile: self = .boardProfile
        case .step(let step): self = .step(step)
        }
    }
}

/// The screen of a place, with a model that lives as long as its place in the path.
struct StudyPlaceView: View {
    private let services: StudyServices
    private let place: StudyPlace
    private let ratesAnswers: Bool
    private let begun: @MainActor (String) -> Void
    private let go: @MainActor (StudyPlace) -> Void
    private let back: @MainActor () -> Void

    init(
        _ services: StudyServices, _ place: StudyPlace, ratesAnswers: Bool,
        begun: @escaping @MainActor (String) -> Void,
        go: @escaping @MainActor (StudyPlace) -> Void, back: @escaping @MainActor () -> Void
    ) {
        self.services = services
        self.place = place
        self.ratesAnswers = ratesAnswers
        self.begun = begun
        self.go = go
        self.back = back
    }

    var body: some View {
        switch place {
        case .subject(let subject):
            Kept(SubjectModel(services, bank: subject.bank)) {
                SubjectView(
                    $0, ratesAnswers: ratesAnswers, hasBoards: services.sendsUserData,
                    choose: { choose($0, of: subject) },
                    begun: begun)
            }
        case .sessions(let subject):
            Kept(SessionListModel(services, bank: subject.bank)) {
                SessionListView($0) { $0.isFinished ? go(.result($0.id)) : begun($0.id) }
            }
        case .questions(let subject):
            Kept(QuestionListModel(services, bank: subject.bank)) {
                QuestionListView($0) { go(.question($0, subject)) }
            }
        case .files(let subject):
            Kept(SubjectFilesModel(services, bank: subject.bank)) { SubjectFilesView($0) }
        case .question(let id, let subject):
            Kept(
                (
                    QuestionModel(services, id: id, of: subject.bank), NoteModel(services),
                    SetAsideModel(services)
                )
            ) { BankQuestionView($0.0, notes: $0.1, asides: $0.2) }
        case .result(let id):
            Kept(ResultModel(services, id: id)) {
                ResultView($0, study: { go(.subject($0)) }, event: { go(.event($0)) })
            }
        case .favourites:
            Kept(FavouritesModel(services)) {
                FavouritesView($0, ratesAnswers: ratesAnswers, begun: begun)
            }
        case .bookings:
            Kept(BookingsModel(services)) {
                BookingsView($0, sends: services.sync?.userDataStatus != nil) { go(.conflict($0)) }
            }
        case .boards, .board, .event, .boardProfile: standings
        case .conflict(let key): Kept(ConflictModel(services, key: key)) { ConflictView($0) }
        case .message(let id):
            Kept(AnnouncementModel(services)) { MessageView($0, id: id, close: back) }
        case .updates: Kept(UpdatesModel(services)) { UpdatesView($0) }
        case .log: SyncLogView(services)
        case .learning(let bank): Kept(LearningModel(services, bank: bank)) { LearningView($0) }
        case .account: Kept(AccountModel(services)) { AccountView($0) { go(.step($0)) } }
        case .step(let step):
            Kept(AccountModel(services)) { AccountForm($0, step: step) { _ in back() } }
        }
    }

    /// The screens of boards and live events.
    @ViewBuilder private var standings: some View {
        switch place {
        case .board(let id):
            Kept(BoardModel(services, id: id)) {
                BoardView($0, openProfile: { go(.boardProfile) }, openStep: { go(.step($0)) })
            }
        case .event(let id):
            Kept(EventModel(services, id: id)) {
                EventView($0, begun: begun) { go(.step($0)) }
            }
        case .boardProfile:
            Kept(BoardProfileModel(services)) { BoardProfileView($0) { go(.step($0)) } }
        default:
            Kept(BoardListModel(services)) { BoardListView($0) { go(StudyPlace($0)) } }
        }
    }

    private func choose(_ choice: SubjectView.Choice, of subject: Subject) {
        switch choice {
        case .result(let id): go(.result(id))
        case .sessions: go(.sessions(subject))
        case .questions: go(.questions(subject))
        case .files: go(.files(subject))
        case .learning: go(.learning(subject.bank))
        case .boards: go(.boards)
        }
    }
}
#endif
