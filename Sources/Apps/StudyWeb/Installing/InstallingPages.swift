import HTTPTypes
import Hummingbird
import Underway

/// The description of the app for a browser that installs it: `GET /app.webmanifest`.
struct InstallingPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("\(AppManifest.path)", use: app.page(manifest))
    }

    private func manifest(_ page: PageRequest) async throws -> Response {
        let manifest = AppManifest(
            words: page.words, files: StudyWebApp.filesPath, version: app.version)
        return CompressedReply.make(
            manifest.json.canonicalBytes, type: AppManifest.type, to: page.request)
    }
}
