import Hummingbird
import PageRendering
import StudyModel
import Underway

/// A picture of the installed release as a page of its own, for a browser without script: `/picture/<checksum>`.
struct PicturePages {
    let app: StudyWebApp

    /// The values of the page.
    struct View {
        /// The page from which the learner came.
        var back: String
        /// The address of the file.
        var source: String
        var name: String
        var size: PictureSize?
    }

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/picture/:checksum", use: app.page(picture))
    }

    /// Returns the address of a picture's page.
    static func path(of checksum: Checksum) -> String { "/picture/\(checksum.hex)" }

    private func picture(_ page: PageRequest) async throws -> Response {
        let hex = try page.part("checksum")
        guard let checksum = Checksum(hex: hex),
            try await MediaPages.hasPicture(checksum, page)
        else { throw HTTPError(.notFound) }
        let sizes = await PictureSizes(of: [checksum], page.services)
        let name = page.words["session.picture"]
        let view = View(
            back: page.formPage, source: MediaPages.path(of: checksum), name: name,
            size: sizes.size(checksum, in: PictureSizes.page))
        return try await app.render("picture", title: name, in: .library, view, for: page)
    }
}
