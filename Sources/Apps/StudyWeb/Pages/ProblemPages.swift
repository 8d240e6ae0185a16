import Foundation
import HTTPTypes
import Hummingbird
import Logging
import StudyModel

/// The pages that say what went wrong, what is safe, and what to do.
struct ProblemPages {
    let app: StudyWebApp

    /// The values of such a page.
    struct View {
        var text: String
        /// The details for finding the cause; `nil` for none.
        var details: String?
    }

    /// Returns the page of a problem.
    func page(_ problem: StudyProblem, for request: Request, _ context: StudyContext) async throws
        -> Response
    {
        let page = await app.reading(request, context)
        let view = View(
            text: page.words[problem.code.key],
            details: problem.details.isEmpty ? nil : problem.details)
        return try await app.render(
            "problem", title: page.words["errors.title"], in: .today, view, for: page,
            status: problem.code == .notFound ? .notFound : .conflict)
    }

    /// Returns the page of a request that is not answered: its address does not exist, or its form is old, too
    /// long or not understood.
    func page(
        _ status: HTTPResponse.Status, for request: Request, _ context: StudyContext
    ) async throws -> Response {
        let page = await app.reading(request, context)
        let key =
            switch status {
            case .notFound: "errors.pageMissing"
            case .forbidden: "errors.staleForm"
            default: "errors.nothingLost"
            }
        return try await app.render(
            "problem", title: page.words["errors.title"], in: .today,
            View(text: page.words[key]), for: page, status: status)
    }

    /// Returns the answer to a request that is not the learner's: plain text without any data.
    func refusal(_ decision: AccessDecision) -> Response {
        let text =
            switch decision {
            case .otherHost, .otherOrigin: "This request did not come from the study app.\n"
            default:
                "Open the address that the study app printed when it was started; it ends with"
                    + " a token.\n"
            }
        return Response(
            status: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Answers thrown problems by their pages.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = StudyContext

    let pages: ProblemPages

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as StudyProblem {
            return try await pages.page(problem, for: request, context)
        } catch let error as any HTTPResponseError {
            return try await pages.page(error.status, for: request, context)
        } catch {
            context.logger.error("A page failed: \(error)")
            return try await pages.page(.internalServerError, for: request, context)
        }
    }
}
