package import ContentServer
import ServiceAPI

extension RequestError {
    package static let emailTaken = RequestError(
        .emailTaken, "The email belongs to an account already.")
    package static let noEmail = RequestError(.invalidRequest, "This is not an email address.")
    package static let badPassword = RequestError(
        .invalidRequest,
        "A password has at least \(Passwords.charactersMin) characters and at most"
            + " \(Passwords.bytesMax) bytes.")
    package static let wrongPassword = RequestError(
        .wrongCredentials, "Email and password do not belong together.")
    package static let wrongToken = RequestError(
        .wrongCredentials, "This token is not valid here.")
    package static let wrongCode = RequestError(
        .wrongCredentials, "This code is wrong, was used, or has expired.")
    package static let noMail = RequestError(
        .notFound, "The account has no email, or this server sends no messages.")

    package static func tooMany(_ seconds: Int) -> RequestError {
        var error = RequestError(
            .tooManyRequests, "Too many requests. Try again in \(seconds) s.")
        error.retryAfterSeconds = seconds
        return error
    }
}

extension RateLimit {
    package static let exchanges = RateLimit(
        "exchanges", perMinute: ServiceLimits.exchangesPerMinute)
    package static let signIns = RateLimit("sign-ins", perMinute: ServiceLimits.signInsPerMinute)
}

extension FailureLimit {
    package static let signInsByAddress = FailureLimit(
        "sign-ins of an address", ServiceLimits.failedSignInsPerMinute)
    package static let signInsByEmail = FailureLimit(
        "sign-ins of an email", ServiceLimits.failedSignInsPerEmailMinute)
    package static let renewalsOfToken = FailureLimit(
        "renewals of a token", ServiceLimits.renewalsOfTokenPerDay, windowSeconds: 86_400)
    package static let copiesOfAccount = FailureLimit(
        "copies of an account", ServiceLimits.copiedSessionsPerDay, windowSeconds: 86_400)
    package static let codesByEmail = FailureLimit(
        "codes of an email", ServiceLimits.emailCodesPerHour, windowSeconds: 3600)
    package static let codesByAsker = FailureLimit(
        "codes of an asker", ServiceLimits.askedCodesPerHour, windowSeconds: 3600)
}
