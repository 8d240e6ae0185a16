import ContentModel
import ContentServer
import HTTPTypes
import Hummingbird
import Logging
import PageRendering
import Publishing
import Review
import ServiceAPI
import Workflows

/// A failure as a page shows it: what happened, what is safe, and what to do.
struct DeskProblem: Error, Sendable {
    var status: HTTPResponse.Status
    /// The sentence.
    var text: String
    /// Further lines, as the messages of the checker.
    var details: [String] = []

    /// The form is of a session that ended, or was not sent by the desk.
    static let staleForm = DeskProblem(
        status: .forbidden,
        text:
            "This page is older than your session. Nothing was changed. Go back, load the page again, and repeat it."
    )

    init(status: HTTPResponse.Status, text: String, details: [String] = []) {
        self.status = status
        self.text = text
        self.details = details
    }

    /// Describes an error; those that only the log may name become one sentence.
    init(_ error: any Error) {
        switch error {
        case let problem as DeskProblem: self = problem
        case let error as PublishingError: self.init(error)
        case let error as ReviewError:
            let status: HTTPResponse.Status =
                switch error.code {
                case .notFound: .notFound
                case .key: .unprocessableContent
                default: .conflict
                }
            self.init(status: status, text: error.message)
        case let error as WorkflowError:
            let cause = error.cause.map(DeskProblem.init)
            self.init(
                status: error.code == .notFound ? .notFound : .conflict,
                text: [error.message, cause?.text].compactMap(\.self).joined(separator: " "),
                details: cause?.details ?? [])
        case let error as RequestError:
            self.init(
                status: error.code == .tooManyRequests ? .tooManyRequests : .serviceUnavailable,
                text: error.message)
        case let error as any HTTPResponseError: self.init(error.status)
        default: self.init(.internalServerError)
        }
    }

    private init(_ error: PublishingError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .noSuchContent, .noSuchRelease: .notFound
            case .unwritable, .unreadable: .serviceUnavailable
            default: .conflict
            }
        self.init(
            status: status, text: error.message,
            details: error.problems.prefix(20).map { "\($0)" })
    }

    private init(_ status: HTTPResponse.Status) {
        let text =
            switch status {
            case .notFound: "There is no such page."
            case .contentTooLarge: "This is more than a form may have. Nothing was changed."
            case .unauthorized: "Sign in first."
            case .badRequest:
                "This form is not one of a page as the desk shows it now. Nothing was changed; load the page anew."
            default:
                "The server could not do this, at least not all of it. Load the page anew to see what it did."
            }
        self.init(status: status, text: text)
    }
}

extension DeskApp {
    private struct ProblemView {
        var text: String
        var details: [String]
        var home = DeskApp.prefix
    }

    /// Returns the page of an error, and writes down one that nobody expected.
    func problem(_ error: any Error, _ page: DeskRequest) throws -> Response {
        let problem = DeskProblem(error)
        if problem.status.code >= 500 {
            page.context.logger.error("a page of the desk failed", metadata: ["reason": "\(error)"])
        }
        return try render(
            "desk_problem", title: "That did not work", in: nil,
            ProblemView(text: problem.text, details: problem.details), for: page,
            status: problem.status)
    }

    /// Returns the reply to a request that may not go on.
    func refusal(_ decision: DeskDecision, _ page: DeskRequest) throws -> Response {
        switch decision {
        case .allowed, .signIn:
            let path = page.request.uri.description
            guard page.request.method == .get || page.request.method == .head else {
                return .redirect(to: SignInPages.path)
            }
            return .redirect(to: SignInPages.path(thenTo: path))
        case .fromElsewhere:
            return PageAccess.landing(
                SignInPages.ownPath(page.request.uri.description), title: "Underway Desk")
        case .forbidden:
            return try render(
                "desk_problem", title: "Your account may not do this", in: nil,
                ProblemView(
                    text: "It takes another role. An administrator gives roles.", details: []),
                for: page, status: .forbidden)
        case .otherHost, .otherOrigin:
            return Response(
                status: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(
                    byteBuffer: .init(
                        string: "This request did not come from the desk at \(origin.text).\n")))
        }
    }
}
