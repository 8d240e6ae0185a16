import Hummingbird
import Logging

/// The context of a request to the study app.
struct StudyContext: RequestContext {
    /// The most bytes of a form.
    static let formBytesMax = 64 * 1024

    var coreContext: CoreRequestContextStorage
    var maxUploadSize: Int { Self.formBytesMax }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}
