//! Finding one's way on a board that is seen in part: zoom, pan and a map.

use leptos::prelude::*;
use view::Point;
use web_sys::{PointerEvent, WheelEvent};

use super::{
    Act, Board,
    pointers::{own_touch, place},
};
use crate::icons::{Icon, IconButton};

/// How many times closer a press of the button looks.
const ZOOM_STEP: f64 = 1.5;

/// How far a wheel has to be turned to look e times closer.
const WHEEL_WAY: f64 = 400.0;

impl Board {
    pub(super) fn wheel(self, event: &WheelEvent) {
        event.prevent_default();
        if !self.is_vast.get_untracked() {
            self.act(Act::Wheel(event.delta_y()));
        } else {
            let at = Point::new(f64::from(event.client_x()), f64::from(event.client_y()));
            self.zoom(at, (-event.delta_y() / WHEEL_WAY).exp());
        }
    }

    pub(super) fn zoom(self, at: Point, factor: f64) {
        if let Some((point, _)) = self.scene_point(at) {
            self.with(|core| {
                core.easel
                    .turn_camera(|camera, whole| camera.zoom_at(whole, point, factor));
            });
            self.camera_moved();
        }
    }

    fn zoom_middle(self, factor: f64) {
        if let Some(canvas) = self.canvas.get_untracked() {
            let rect = canvas.get_bounding_client_rect();
            let middle = Point::new(
                rect.left() + rect.width() / 2.0,
                rect.top() + rect.height() / 2.0,
            );
            self.zoom(middle, factor);
        }
    }

    pub(super) fn pan(self, by: Point) {
        if let Some((_, scale)) = self.scene_point(Point::default()) {
            self.with(|core| {
                core.easel
                    .turn_camera(|camera, whole| camera.pan(whole, by * (-1.0 / scale)));
            });
            self.camera_moved();
        }
    }

    /// A drag that began on the map goes on beside it.
    fn capture_map(self, event: &PointerEvent) {
        if let Some(map) = self.map.get_untracked() {
            map.set_pointer_capture(event.pointer_id()).ok();
        }
    }

    fn look_from_map(self, event: &PointerEvent) {
        let Some(map) = self.map.get_untracked() else {
            return;
        };
        let rect = map.get_bounding_client_rect();
        let at = place(event);
        let (right, down) = (
            (at.x - rect.left()) / rect.width(),
            (at.y - rect.top()) / rect.height(),
        );
        self.with(|core| {
            core.easel.turn_camera(|camera, whole| {
                camera.look_at(Point::new(
                    whole.x + right * whole.width,
                    whole.y + down * whole.height,
                ));
            });
        });
        self.camera_moved();
    }

    pub(super) fn camera_moved(self) {
        let is_zoomed = self.with(|core| core.easel.is_zoomed()).unwrap_or(false);
        if self.is_zoomed.get_untracked() != is_zoomed {
            self.is_zoomed.set(is_zoomed);
        }
        self.request_frame();
    }
}

/// Navigation on a vast board: zoom buttons and a map.
#[component]
pub(super) fn Overview(board: Board) -> impl IntoView {
    let settings = board.settings;
    view! {
        <div class="zoom">
            <IconButton
                name=Signal::derive(settings.text("do.zoom-in"))
                kind=Icon::Plus
                on_press=move || board.zoom_middle(ZOOM_STEP)
            />
            <IconButton
                name=Signal::derive(settings.text("do.zoom-out"))
                kind=Icon::Minus
                on_press=move || board.zoom_middle(1.0 / ZOOM_STEP)
            />
        </div>
        <canvas
            class="map"
            class:off=move || !board.is_zoomed.get()
            node_ref=board.map
            role="img"
            aria-label=settings.text("board.map")
            on:touchmove=own_touch
            on:pointerdown=move |event| {
                board.capture_map(&event);
                board.look_from_map(&event);
            }
            on:pointermove=move |event| {
                if event.buttons() != 0 {
                    board.look_from_map(&event);
                }
            }
        ></canvas>
    }
}
