import Foundation
import TestSupport
import Testing
import Underway

/// What docs/app-developers.md shows of announcements.
@Suite struct AnnouncementExampleTests {
    @Test func anAnnouncementIsShownOnceInTheUsersLanguage() async throws {
        let fleet = try Fleet()
        try fleet.folder.write(
            """
            identifier: 1
            type: website
            link: https://underway.example/news
            texts:
              en: { title: News, content: There is more to learn., buttons: { open: Read on } }
              de: { title: Neues, content: Es gibt mehr zu lernen., buttons: { open: Weiterlesen } }
            """, to: "content/announcements/news.yaml")
        try fleet.publish()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let store = try OfflineStore(folder: fleet.folder.url.appending(path: "device"))
        try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
        let userData = try UserStore(folder: fleet.folder.url.appending(path: "device"))
        var shown: [String] = []
        func show(_ title: String, _ content: String, button: String?) {
            shown.append("\(title): \(content) [\(button ?? "")]")
        }
        for _ in 0..<2 {
            // announcement: start
            let center = AnnouncementCenter(content: store, userData: userData)
            let moment = AnnouncementMoment(appVersion: "1.4", languages: ["de-AT"], now: Date())
            if let news = try await center.current(moment) {
                show(news.text.title, news.text.content, button: news.actionTitle)
                try await center.markSeen(news, now: Date())
            }
            // announcement: end
        }
        #expect(shown == ["Neues: Es gibt mehr zu lernen. [Weiterlesen]"])
        try DocumentedExample.expect("announcement", linesMax: 10)
        var busy = AnnouncementMoment(appVersion: "1.4", languages: ["en"], now: Date())
        busy.isInSession = true
        let other = try UserStore(folder: fleet.folder.url.appending(path: "other"))
        #expect(try await AnnouncementCenter(content: store, userData: other).current(busy) == nil)
        busy.isInSession = false
        let found = try await AnnouncementCenter(content: store, userData: other).current(busy)
        #expect(found?.text.title == "News")
    }
}
