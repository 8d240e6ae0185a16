/// The files of the release directory at names of the next release that the index does not list.
struct StandingNames: Sendable {
    /// Files of others under names that the next release has first, sorted.
    var foreign: [String] = []
    /// Files of earlier releases under names that the next release does not have.
    var revived: [String] = []
    /// Files under such names that are not known to be of a release; they stay.
    var unowned: [String] = []
    /// The manifest as it is, of a signed release that may stay as it is.
    var manifest: ManifestFile?
    /// The marks, with the compressed manifests that were found to be right.
    var marks: DirectoryIdentity
}
