import ContentModel
import Foundation
import StudyModel
import StudyWeb

/// The host name, the secrets and the port of a run of the study app, of the last run where possible.
struct StudyEntrance: Sendable {
    let link: BrowserLink
    /// The port to listen on; 0 for one that the system chooses.
    let port: Int
    /// The saved link; `nil` for a run whose link must not be saved.
    private let file: DeviceFile<BrowserLink>?

    /// Reads the link of the last run, and looks whether its port is free.
    ///
    /// - Parameters:
    ///   - folder: The folder of the learner's data.
    ///   - port: The port to use; `nil` for the last one, if it is free.
    ///   - isNumeric: True for an address with 127.0.0.1.
    init(folder: URL, port: Int?, isNumeric: Bool) async {
        guard !isNumeric else {
            (link, file) = (.numeric(), nil)
            self.port = port ?? 0
            return
        }
        let file = DeviceFile(
            folder.appending(path: "study-browser.json"), initial: BrowserLink())
        self.file = file
        link = await file.value
        if let port {
            self.port = port
        } else {
            self.port = await LoopbackPort.free(preferring: link.port)
        }
    }

    /// Saves the link with its port for the next run, and prints the address.
    func opened(_ address: String, port: Int, isJSON: Bool) async {
        let isSaved = await save(port)
        guard !isJSON else { return Console.say(jsonLine: ["address": .string(address)]) }
        Console.say("The study app is at \(address)")
        Console.note("Only this machine reaches it. Ctrl-C ends it.")
        if file == nil {
            Console.note("Other programs at 127.0.0.1 get this run's cookie from the browser.")
        } else if !isSaved {
            Console.note(
                "The address could not be saved: pages left open will not work after a restart.")
        }
        if file != nil, let last = link.port, last != port {
            Console.note(
                "The last run had port \(last): close its pages and open the address above.")
        }
    }

    private func save(_ port: Int) async -> Bool {
        guard let file else { return false }
        do {
            let link = link
            try await file.change {
                $0 = link
                $0.port = port
            }
            return true
        } catch {
            // The app works all the same; the caller says what does not.
            return false
        }
    }
}
