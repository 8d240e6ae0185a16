import ContentModel
import Publishing

/// The text of `publish`, `status` and `rollback`.
extension PublishSummary {
    /// Prints the result of a publish.
    func say(verb: String) {
        for warning in warnings { Console.say(Console.styled(warning.summary, .yellow)) }
        for path in adopted { Console.say("adopted  \(path) (comments are not kept)") }
        for path in drifted where adopted.isEmpty { Console.say("discarded the edit of \(path)") }
        sayList("changed", changed)
        sayList("removed", removed)
        sayList("restored", restored)
        sayUnowned("removed")
        sayUncorrected()
        guard isNew else {
            Console.say("Nothing changed; release \(release) stays.")
            return
        }
        sayForgotten()
        Console.say(
            Console.styled("\(verb) release \(release)", .green)
                + ": \(Console.count(changed.count, "file")) changed of"
                + " \(blueprints) blueprints and their files,"
                + " manifest \(Console.bytes(manifestBytes)).")
        if let rollout { Console.say(rollout.text(release: release)) }
    }

    /// Prints the keys that change without a correction, shortened.
    private func sayUncorrected() {
        for change in uncorrected.prefix(10) {
            Console.say(Console.styled(change.sentence, .yellow))
        }
        if uncorrected.count > 10 {
            Console.say("… and \(uncorrected.count - 10) more keys that changed (`--json` has all)")
        }
    }

    private func sayForgotten() {
        guard let continuedAfter else { return }
        let text =
            "The release directory has forgotten that release \(continuedAfter) was published"
            + " from this content folder. Numbers go on after it: devices that have it would"
            + " take a lower one for older."
        Console.say(Console.styled(text, .yellow))
    }

    /// Prints the changes that a publish would make.
    func sayStatus() {
        Console.say(release == 0 ? "Nothing was published yet." : "Release \(release) is current.")
        if let rollout { Console.say(rollout.text(release: release)) }
        sayForgotten()
        sayList("edited by hand", drifted)
        if !damagedObjects.isEmpty {
            Console.say(
                "Edited in place, so that devices get wrong objects until the next"
                    + " `underway publish`: \(damagedObjects.joined(separator: ", ")).")
        }
        sayList("to change", changed)
        sayList("to remove", removed)
        sayList("to restore", restored)
        sayUnowned("to remove")
        sayUncorrected()
        Console.say(isUpToDate ? "A publish would change nothing." : "`underway publish` is due.")
    }

    /// Prints the files under names that the release does not have.
    private func sayUnowned(_ verb: String) {
        if !revived.isEmpty {
            sayList("\(verb) (of an earlier release)", revived)
        }
        guard !foreign.isEmpty else { return }
        sayList("not of any release", foreign)
        let text =
            "A web server serves these files, but no release that is kept published them so. They are left"
            + " as they are: move what you do not want out of the release directory."
        Console.say(Console.styled(text, .yellow))
    }

    /// Prints a list, shortened; `--json` has all of it.
    private func sayList(_ title: String, _ paths: [String]) {
        for path in paths.prefix(10) { Console.say("\(title)  \(path)") }
        if paths.count > 10 { Console.say("\(title)  … and \(paths.count - 10) more") }
    }
}
